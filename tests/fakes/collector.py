"""Takes spans over OTLP as a collector would, with OpenTelemetry's own description of them, and writes one JSON line a span."""
import http.server
import json
import sys

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse


def value(any_value):
    return getattr(any_value, any_value.WhichOneof("value") or "string_value")


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["content-length"])))
        with open(sys.argv[2], "a") as out:
            for resource in request.resource_spans:
                service = {a.key: value(a.value) for a in resource.resource.attributes}.get("service.name")
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        told = {a.key: value(a.value) for a in span.attributes}
                        line = {"path": self.path, "service": service, "name": span.name, "kind": span.kind,
                                "took_ns": span.end_time_unix_nano - span.start_time_unix_nano,
                                "has_parent": bool(span.parent_span_id), "attributes": told}
                        print(json.dumps(line), file=out)
        reply = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Collector).serve_forever()
