"""Takes what the reporter otlp sends, decodes it by opentelemetry-proto, and says what it was.

usage: check_otlp.py receive FOLDER    a collector on a free port, which it prints; each body becomes a file
       check_otlp.py decode FOLDER     all bodies in it as one JSON text: logs, spans and points in order

A body of the kind protobuf is parsed by the generated classes, which know all fields: an unknown one is an error. A body
of the kind json is parsed by Protobuf's own JSON form, with ids in hexadecimal, as OTLP says.
"""

import base64
import gzip
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

REQUESTS = {
    "logs": ExportLogsServiceRequest,
    "traces": ExportTraceServiceRequest,
    "metrics": ExportMetricsServiceRequest,
}
IDS = {"traceId", "spanId", "parentSpanId"}


def receive(folder):
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            kind = "json" if self.headers["Content-Type"] == "application/json" else "protobuf"
            signal = self.path.rsplit("/", 1)[1]
            with lock:
                number = len(list(folder.iterdir()))
                (folder / f"{number:06}.{signal}.{kind}").write_bytes(body)
            self.send_response(200)
            self.send_header("Content-Type", self.headers["Content-Type"])
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def base64_ids(value):
    """The JSON of OTLP as Protobuf's own JSON has it: ids in Base64."""
    if isinstance(value, dict):
        return {
            key: base64.b64encode(bytes.fromhex(item)).decode() if key in IDS else base64_ids(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [base64_ids(item) for item in value]
    return value


def parse(path):
    signal, kind = path.name.split(".")[1:]
    message = REQUESTS[signal]()
    body = path.read_bytes()
    if kind == "json":
        json_format.ParseDict(base64_ids(json.loads(body)), message)
    else:
        message.ParseFromString(body)
        if message.SerializeToString(deterministic=True) != stripped(message).SerializeToString(deterministic=True):
            raise SystemExit(f"{path.name}: it has fields that opentelemetry-proto does not know")
    return signal, message


def stripped(message):
    copy = type(message)()
    copy.CopyFrom(message)
    copy.DiscardUnknownFields()
    return copy


def value(any_value):
    kind = any_value.WhichOneof("value")
    if kind is None:
        return None
    content = getattr(any_value, kind)
    if kind == "kvlist_value":
        return pairs(content.values)
    if kind == "array_value":
        return [value(item) for item in content.values]
    if kind == "bytes_value":
        return content.hex()
    return content


def pairs(attributes):
    names = [pair.key for pair in attributes]
    if len(names) != len(set(names)):
        raise SystemExit(f"an attribute is there twice: {names}")
    return {pair.key: value(pair.value) for pair in attributes}


def decode(folder):
    said = {"logs": [], "spans": [], "points": []}
    for path in sorted(folder.iterdir()):
        signal, message = parse(path)
        if signal == "logs":
            for resource in message.resource_logs:
                for scope in resource.scope_logs:
                    for record in scope.log_records:
                        said["logs"].append(
                            {
                                "resource": pairs(resource.resource.attributes),
                                "scope": [scope.scope.name, scope.scope.version],
                                "time": record.time_unix_nano,
                                "observed": record.observed_time_unix_nano,
                                "severity": record.severity_number,
                                "event": record.event_name,
                                "trace": record.trace_id.hex(),
                                "span": record.span_id.hex(),
                                "attributes": pairs(record.attributes),
                                "body": value(record.body),
                            }
                        )
        elif signal == "traces":
            for resource in message.resource_spans:
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        said["spans"].append(
                            {
                                "resource": pairs(resource.resource.attributes),
                                "trace": span.trace_id.hex(),
                                "span": span.span_id.hex(),
                                "parent": span.parent_span_id.hex(),
                                "name": span.name,
                                "kind": span.kind,
                                "start": span.start_time_unix_nano,
                                "end": span.end_time_unix_nano,
                                "failed": span.status.code == 2,
                                "attributes": pairs(span.attributes),
                            }
                        )
        else:
            for resource in message.resource_metrics:
                for scope in resource.scope_metrics:
                    for metric in scope.metrics:
                        said["points"] += points(metric, pairs(resource.resource.attributes))
    # Requests go side by side, so that the order of their arrival says nothing.
    said["logs"].sort(key=lambda log: (log["time"], sorted(log["attributes"].items())))
    said["spans"].sort(key=lambda span: (span["trace"], span["span"]))
    said["points"].sort(key=lambda point: (point["start"], point["name"]))
    json.dump(said, sys.stdout, sort_keys=True)


def points(metric, resource):
    kind = metric.WhichOneof("data")
    data = getattr(metric, kind)
    if data.aggregation_temporality != 1:
        raise SystemExit(f"{metric.name} is not delta")
    for point in data.data_points:
        said = {
            "name": metric.name,
            "unit": metric.unit,
            "resource": resource,
            "attributes": pairs(point.attributes),
            "start": point.start_time_unix_nano,
            "time": point.time_unix_nano,
        }
        if kind == "sum":
            yield said | {"sum": point.as_int, "monotonic": data.is_monotonic}
        else:
            buckets = list(point.positive.bucket_counts)
            if point.zero_count + sum(buckets) != point.count:
                raise SystemExit(f"{metric.name}: the buckets are not all")
            yield said | {
                "count": point.count,
                "sum": point.sum if point.HasField("sum") else None,
                "min": point.min if point.HasField("min") else None,
                "scale": point.scale,
                "zeros": point.zero_count,
                "offset": point.positive.offset,
                "buckets": buckets,
            }


if __name__ == "__main__":
    command, place = sys.argv[1:]
    {"receive": receive, "decode": decode}[command](Path(place))
