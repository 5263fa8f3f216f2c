// taplo's language server, as Even Better TOML runs it, on stdio. The argument is the folder of npm's
// packages.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const { TaploLsp } = createRequire(path.join(process.argv[2], "any.js"))("@taplo/lsp");

const environment = {
  cwd: () => process.cwd(),
  envVar: (name) => process.env[name],
  envVars: () => Object.entries(process.env),
  findConfigFile: () => undefined,
  glob: () => [],
  isAbsolute: path.isAbsolute,
  now: () => new Date(),
  readFile: (place) => fs.promises.readFile(place),
  writeFile: (place, bytes) => fs.promises.writeFile(place, bytes),
  stdErrAtty: () => false,
  stdin: process.stdin,
  stdout: process.stderr,
  stderr: process.stderr,
  urlToFilePath: (url) => (url.startsWith("file:") ? fileURLToPath(url) : ""),
};

const server = await TaploLsp.initialize(environment, {
  onMessage: (message) => {
    const body = Buffer.from(JSON.stringify(message));
    process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
    process.stdout.write(body);
  },
});

let waiting = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  waiting = Buffer.concat([waiting, chunk]);
  for (;;) {
    const head = waiting.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/.exec(waiting.subarray(0, head))?.[1]);
    if (head < 0 || waiting.length < head + 4 + length) return;
    const body = waiting.subarray(head + 4, head + 4 + length);
    waiting = waiting.subarray(head + 4 + length);
    server.send(JSON.parse(body));
  }
});
process.stdin.on("end", () => process.exit());
