"""What players and moderators can do: an interaction comes in, a session acts, a reply goes out."""
