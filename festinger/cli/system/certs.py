"""`festinger system certs`: a private authority, and certificates that it signs."""

from __future__ import annotations

import ipaddress
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from festinger.cli.options import CONFIG, DATA_DIR, settings
from festinger.errors import ConfigurationError, InvalidArgument
from festinger.private import replacing

AUTHORITY: Final = "authority"  # the stem of its files
AUTHORITY_DAYS: Final = 3650
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
# Without wildcards.
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


@click.command()
@CONFIG
@DATA_DIR
@click.option(
    "--days",
    type=click.IntRange(1, AUTHORITY_DAYS),
    default=397,
    show_default=True,
    help="How long the certificate is valid.",
)
@click.option(
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the files are written; DATA_DIR/certs by default.",
)
@click.argument("hosts", metavar="HOST...", nargs=-1, required=True)
def certs(
    hosts: tuple[str, ...], days: int, directory: Path | None, **values: Any
) -> None:
    """Make a certificate for a machine, by the names and addresses that reach it.

    The first time a private authority is made too, which signs the certificates of a
    small network. Its key stays where it is; a machine is given authority.pem and the
    two files of its own. Run again, the command renews a certificate; servers notice.

    \b
    festinger system certs memory.lan 192.168.1.20
    """
    folder = directory or settings(**values).data_dir / "certs"
    # Programs of the machine itself reach its servers by loopback.
    names = [_name_of(host) for host in dict.fromkeys((*hosts, *LOOPBACK))]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        certificate, key = _authority(folder)
        made, made_key = _issue(names, hosts[0], days, certificate, key)
        stem = re.sub(r"[^\w.-]", "_", hosts[0])  # `::1` has colons
        # The key first: a certificate whose key is another is not taken over.
        _write(folder / f"{stem}.key", _pem_of_key(made_key))
        _write(folder / f"{stem}.pem", _pem(made))
    except OSError as error:
        raise ConfigurationError(f"cannot write to {folder}: {error}") from None
    click.echo(
        f"valid until {made.not_valid_after_utc:%Y-%m-%d}, for {', '.join(hosts)}\n\n"
        "tls:\n"
        f"  certificate: {folder / stem}.pem\n"
        f"  key: {folder / stem}.key\n"
        f"  authority: {folder / AUTHORITY}.pem\n\n"
        "Write this below `server` and, without the authority, below `shim`. Whoever "
        "opens the console or the shim trusts authority.pem."
    )


def _name_of(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        if not _HOST.fullmatch(host):
            raise InvalidArgument(
                f"{host!r} is no host name or IP address, as memory.lan or 192.168.1.20"
            ) from None
        return x509.DNSName(host)


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return the authority of a folder, which is made if it is not there."""
    key_file, file = folder / f"{AUTHORITY}.key", folder / f"{AUTHORITY}.pem"
    # Both or neither: a lost key must not silently begin a new authority.
    if not key_file.exists() and not file.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _subject("Festinger's authority of this network")
        # `path_length` 0: it signs machines, and no other authorities.
        usage = x509.BasicConstraints(ca=True, path_length=0)
        made = (
            _builder(subject, subject, key, AUTHORITY_DAYS)
            .add_extension(usage, critical=True)
            .sign(key, hashes.SHA256())
        )
        _write(key_file, _pem_of_key(key))
        _write(file, _pem(made))
    try:
        private = serialization.load_pem_private_key(key_file.read_bytes(), None)
        return x509.load_pem_x509_certificate(file.read_bytes()), _elliptic(private)
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"{file} and {key_file} are no authority and its key: {error}. Move both "
            "away, and a new one is made"
        ) from None


def _elliptic(key: Any) -> ec.EllipticCurvePrivateKey:
    # As `load_pem_private_key` raises over an encrypted key.
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError("the key is of another kind")
    return key


def _issue(
    names: list[x509.GeneralName],
    common_name: str,
    days: int,
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return a certificate for servers and clients, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    # A bot or a shim shows the same certificate as a client.
    both = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    public = authority_key.public_key()
    made = (
        # X.509 allows a common name of 64 characters.
        _builder(_subject(common_name[:64]), authority.subject, key, days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        # Clients look at these names only; the common name is for people.
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.ExtendedKeyUsage(both), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )
    return made, key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    # Machines' clocks differ a little.
    begin = datetime.now(UTC) - timedelta(hours=1)
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=days, hours=1))
        .add_extension(identifier, critical=False)
    )


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _pem_of_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write(file: Path, data: bytes) -> None:
    # A crash leaves the old file or the new one; others cannot read it.
    with replacing(file, durable=True) as stream:
        stream.write(data.decode("ascii"))
    if file.suffix == ".pem":
        os.chmod(file, 0o644)  # no secret, and clients of other users need it
