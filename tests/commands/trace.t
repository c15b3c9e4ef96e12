# trace: traces are written, shown and converted.
$ printf 'name: proj\nruntime: yaml\nresources:\n  pet: {type: "random:RandomPet"}\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
$ pulumi up --yes --skip-preview --tracing file:up.trace --otel-traces file://$PWD/up.json >/dev/null; cmp up.trace up.json && grep -c resourceSpans up.trace | sed 's/^[1-9][0-9]*$/spans/'
spans
# Who starts us may have closed the standard streams: nothing that we open takes their place.
$ pulumi up --yes --skip-preview --otel-traces file://$PWD/closed.json --event-log closed.log <&- >&- 2>&-; echo $?; head -c 18 closed.json; echo; head -c 14 closed.log
0
{"resourceSpans":[
{"sequence":0,
$ for closed in '<&-' '>&-' '2>&-'; do eval "pulumi stack export $closed" >exported; echo $?; done; pulumi version >&-
0
0
0
# A limit of the size of files is an error of what is written, and leaves no lock.
$ (ulimit -f 8; pulumi up --yes --skip-preview --event-log small.log >/dev/null); echo $?; find ../state -path '*/locks/*' -type f | wc -l
error: write event log 'small.log': File too large
1
0
$ pulumi convert-trace up.trace >up.pprof; python3 -c '
> import gzip
> profile = gzip.open("up.pprof").read()
> for text in (b"pulumi up", b"create(random:index/randomPet:RandomPet)", b"nanoseconds"):
>     print(text in profile)'
True
True
True
$ pulumi convert-trace up.trace --granularity 10us | cmp -s - up.pprof || echo other samples
other samples
$ pulumi convert-trace up.trace --granularity soon
error: --granularity 'soon' is no duration from 1ns to 24h, such as 500ms
[1]
$ pulumi convert-trace up.trace -g 0s
error: --granularity '0s' is no duration from 1ns to 24h, such as 500ms
[1]
$ pulumi convert-trace nope
error: open nope: no such file or directory
[1]
$ pulumi convert-trace Pulumi.yaml
error: 'Pulumi.yaml' is no trace: it is cut off
[1]
$ pulumi convert-trace
error: accepts 1 arg(s), received 0
[1]
# A collector of OpenTelemetry takes it, with the headers that it wants.
$ cat >collector.py <<'END'
> import http.server, json, os, subprocess, sys, threading
> got = []
> class Collector(http.server.BaseHTTPRequestHandler):
>     def do_POST(self):
>         got.append((self.path, self.headers["content-type"], self.headers["x-key"], json.loads(self.rfile.read(int(self.headers["content-length"])))))
>         self.send_response(int(sys.argv[1])); self.send_header("content-length", "0"); self.end_headers()
>     def log_message(self, *words): pass
> server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
> threading.Thread(target=server.serve_forever, daemon=True).start()
> done = subprocess.run(["pulumi", "convert-trace", "up.trace", "--otel"], capture_output=True, text=True,
>     env={**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}/", "OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b"})
> print(done.returncode, (done.stdout + done.stderr).split(" ")[0], got[0][:3])
> spans = got[0][3]["resourceSpans"][0]["scopeSpans"][0]["spans"]
> print(spans[0]["name"], {span.get("parentSpanId") for span in spans[1:]} == {spans[0]["spanId"]})
> END
$ python3 collector.py 200
0 Sent ('/v1/traces', 'application/json', 'a b')
pulumi up True
$ python3 collector.py 400
1 error: ('/v1/traces', 'application/json', 'a b')
pulumi up True
# The page is for this machine only.
$ cat >visit.py <<'END'
> import http.client, re, signal, subprocess
> shown = subprocess.Popen(["pulumi", "view-trace", "up.trace", "--port", "0"], stdout=subprocess.PIPE, text=True)
> port = int(re.search(r"Displaying trace at http://localhost:(\d+)$", shown.stdout.readline()).group(1))
> def ask(method, path, host):
>     connection = http.client.HTTPConnection("127.0.0.1", port)
>     connection.request(method, path, headers={"Host": host})
>     answer = connection.getresponse()
>     return answer.status, answer.read()
> status, page = ask("GET", "/", f"localhost:{port}")
> print(status, page.count(b"random:index/randomPet:RandomPet") > 1, b"</html>" in page)
> for request in (("HEAD", "/", "127.0.0.1"), ("GET", "/favicon.ico", "localhost"), ("GET", "/", "pages.example"), ("POST", "/", "localhost")):
>     print(request, ask(*request)[0])
> other = subprocess.run(["pulumi", "view-trace", "up.trace", "--port", str(port)], capture_output=True, text=True)
> print(other.returncode, other.stderr.replace(str(port), "PORT"), end="")
> shown.send_signal(signal.SIGINT)
> print(shown.wait())
> END
$ python3 visit.py
200 True True
('HEAD', '/', '127.0.0.1') 200
('GET', '/favicon.ico', 'localhost') 404
('GET', '/', 'pages.example') 403
('POST', '/', 'localhost') 405
1 error: showing the page on port PORT; --port chooses another: listen at 127.0.0.1:PORT: Address already in use
-2
$ pulumi view-trace nope
error: open nope: no such file or directory
[1]
$ pulumi view-trace up.trace --port 70000
error: --port 70000 is no port: these go from 0 to 65535
[1]
$ pulumi stack --show-name --tracing tcp://127.0.0.1:1
warning: --tracing 'tcp://127.0.0.1:1' has no effect here: expected file:PATH
dev
$ : >empty; pulumi view-trace empty
error: 'empty' is no trace: it is empty
[1]
