"""Reads and writes files of any Hadoop file system on a worker, which Python has no client for.

Spark's own libraries do it, in a JVM that the worker's process starts when it first needs one. No byte comes through
Python: the JVM copies what is asked for to a file at hand, or from it.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import Any

from tally_spark.failure import NO_INPUT, OUTPUT_FAILED, Failure

_gateways: dict[tuple[tuple[str, str], ...], HadoopFiles] = {}


def local_path(address: str) -> str | None:
    """The path of a file at hand that an address names; None for one elsewhere."""
    if address.startswith("file:"):
        return "/" + address[len("file:") :].lstrip("/")
    return None if "://" in address or address.split("/")[0].endswith(":") else address


def files(settings: dict[str, str]) -> HadoopFiles:
    """The JVM of this process, which is started at the first call; `settings` are those of the driver's Hadoop."""
    key = tuple(sorted(settings.items()))
    if key not in _gateways:
        _gateways[key] = HadoopFiles(settings)
    return _gateways[key]


class HadoopFiles:
    """A JVM with Spark's libraries."""

    def __init__(self, settings: dict[str, str]) -> None:
        from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
        from pyspark.find_spark_home import _find_spark_home

        jars = os.path.join(_find_spark_home(), "jars")
        own = glob.glob(os.path.join(jars, "py4j-*.jar"))
        port, token = launch_gateway(
            jarpath=own[0] if own else None,
            classpath=os.path.join(jars, "*"),
            javaopts=["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
            die_on_exit=True,
            enable_auth=True,
        )
        self._jvm: Any = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token)).jvm
        self._settings: Any = self._jvm.org.apache.hadoop.conf.Configuration()
        for key, value in settings.items():
            self._settings.set(key, value)

    def _open(self, address: str) -> tuple[Any, Any]:
        path = self._jvm.org.apache.hadoop.fs.Path(address)
        return path.getFileSystem(self._settings), path

    def read(self, address: str) -> bytes | None:
        """A small file's bytes; None where there is none."""
        system, path = self._open(address)
        if not system.exists(path):
            return None
        stream = system.open(path)
        try:
            return bytes(self._jvm.org.apache.hadoop.io.IOUtils.readFullyToByteArray(stream))
        finally:
            stream.close()

    def copy(self, address: str, places: Sequence[int] | None, target: str) -> int:
        """Copies a file, or its bytes between these places, begin and end by turns, and says how many bytes it has."""
        from py4j.protocol import Py4JJavaError

        try:
            system, path = self._open(address)
            size = int(system.getFileStatus(path).getLen())
            source = system.open(path)
            try:
                out = self._jvm.java.io.BufferedOutputStream(self._jvm.java.io.FileOutputStream(target))
                try:
                    for begin, end in zip(*[iter(places if places is not None else (0, size))] * 2):
                        source.seek(begin)
                        # Not Hadoop's own, which takes a small number for the size of its buffer.
                        self._jvm.org.apache.commons.io.IOUtils.copyLarge(source, out, 0, int(end) - int(begin))
                finally:
                    out.close()
            finally:
                source.close()
        except Py4JJavaError as error:
            raise Failure(f"{address}: cannot read the archive: {error.java_exception}", NO_INPUT) from error
        return size

    def put(self, source: str, address: str) -> None:
        """Copies a file at hand to an address, with the folders above it."""
        from py4j.protocol import Py4JJavaError

        try:
            system, path = self._open(address)
            # The file at hand goes with its folder.
            system.copyFromLocalFile(False, True, self._jvm.org.apache.hadoop.fs.Path(source), path)
        except Py4JJavaError as error:
            raise Failure(f"{address}: cannot write it: {error.java_exception}", OUTPUT_FAILED) from error
