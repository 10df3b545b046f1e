"""What the pictures of all games share: type, paint, pawns, the sheet they are put on."""
