FROM python:3.13-slim AS build

RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/festinger
ENV PATH=/opt/festinger/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /src
COPY requirements/runtime.lock requirements/
RUN pip install --require-hashes -r requirements/runtime.lock

COPY . .
RUN pip install --no-deps --no-build-isolation . ./clients/gutask \
    # needed to build, not to run
    && pip uninstall --yes cython setuptools


FROM python:3.13-slim

RUN useradd --system --create-home --home-dir /data --uid 10001 festinger
COPY --from=build /opt/festinger /opt/festinger
ENV PATH=/opt/festinger/bin:$PATH PYTHONUNBUFFERED=1 FESTINGER_DATA_DIR=/data

USER festinger
VOLUME /data
EXPOSE 7700 11435
STOPSIGNAL SIGTERM
ENTRYPOINT ["festinger"]
CMD ["up"]
