# Wheels are built where a compiler may be needed; the image that runs gets only the wheels.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY content content
COPY engines engines
RUN pip wheel --no-cache-dir --wheel-dir /wheels '.[metrics]'

FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links=/wheels 'nightwatch[metrics]' \
    && groupadd --gid 10001 nightwatch \
    && useradd --uid 10001 --gid nightwatch --no-create-home --home-dir /data nightwatch \
    && install --directory --owner=nightwatch --group=nightwatch --mode=700 /data
USER nightwatch
WORKDIR /data
VOLUME /data
# Long enough to start on a slow disk; the bot gives a sign of life every 20 seconds.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-m", "bot", "health"]
# Exec form: the bot is process 1 and hears SIGTERM itself.
CMD ["python", "-m", "bot", "run", "--online"]
