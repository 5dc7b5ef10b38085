# syntax=docker/dockerfile:1
#
#   docker build -t festinger .
#   docker buildx build --platform linux/amd64,linux/arm64 -t REGISTRY/festinger --push .
#
# The image holds Debian's Python and what it is built on, a shell, and Festinger: no
# package manager, no compiler. What takes how much: docs/how-to/installing.md.
FROM debian:trixie-slim AS build

RUN apt-get update && apt-get install --yes --no-install-recommends \
    binutils gcc libc6-dev python3-dev python3-pip python3-venv
# Without a pip: the system's installs into it.
RUN python3 -m venv --without-pip /opt/festinger
ENV PIP="/usr/bin/python3 -m pip --python /opt/festinger/bin/python --no-cache-dir" \
    PIP_DISABLE_PIP_VERSION_CHECK=1 PATH=/opt/festinger/bin:$PATH

WORKDIR /src
COPY requirements/runtime.lock requirements/
RUN $PIP install --no-compile --require-hashes -r requirements/runtime.lock

COPY . .
RUN $PIP install --no-compile --no-deps --no-build-isolation . ./clients/gutask \
    && sh deploy/image/slim.sh /opt/festinger


FROM debian:trixie-slim AS system

COPY deploy/image/system.sh /
RUN sh /system.sh /system


FROM scratch

COPY --from=system /system /
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /opt/festinger /opt/festinger
ENV PATH=/opt/festinger/bin:/usr/bin:/bin PYTHONUNBUFFERED=1 LANG=C.UTF-8 \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    FESTINGER_DATA_DIR=/data FESTINGER_SHIM=0.0.0.0:11435 FESTINGER_SHIM__PLAIN_TEXT=true
# Compiles what its programs import, since nothing can be written later.
RUN ["python3", "-c", "import festinger.programs.server, festinger.programs.shim, \
    festinger.programs.bots, festinger.app, festinger.cli.system.start, \
    festinger.cli.progress, festinger.mcp.running, gutask.cli"]

USER 10001:10001
VOLUME /data
EXPOSE 7700 11435
STOPSIGNAL SIGTERM
# Of the shim, which asks the server and its database. Each caller needs a token here.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD wget -q -O /dev/null "http://127.0.0.1:11435/token/$(cat /data/local.token)/festinger/health"
ENTRYPOINT ["festinger"]
CMD ["up"]
