// Runs in the sandbox: prints OpenClaw's session records as JSON, [{path, text, truncated}], text being JSON lines.
// Versions of 2026.4 keep them in files, those of 2026.9 in a database.
const fs = require("node:fs");
const path = require("node:path");

const agents = process.argv[1];
const [maxFiles, maxFileBytes, maxBytes] = process.argv.slice(2, 5).map(Number);
const found = [];
let left = maxBytes;

function add(name, text) {
  const bytes = Buffer.from(text);
  const limit = Math.max(0, Math.min(maxFileBytes, left));
  const truncated = bytes.length > limit;
  found.push({ path: name, text: truncated ? bytes.subarray(0, limit).toString() : text, truncated });
  left -= Math.min(bytes.length, limit);
}

function fromFiles(agent) {
  const folder = path.join(agents, agent, "sessions");
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder).sort()) {
    if (!/\.jsonl(\.|$)/.test(name) || name.endsWith(".lock") || found.length >= maxFiles) continue;
    const file = fs.openSync(path.join(folder, name), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const buffer = Buffer.alloc(Math.min(fs.fstatSync(file).size, maxFileBytes + 1));
    const length = fs.readSync(file, buffer, 0, buffer.length, 0);
    add(`${agent}/sessions/${name}`, buffer.subarray(0, length).toString());
  }
}

function fromDatabase(agent) {
  const file = path.join(agents, agent, "agent", "openclaw-agent.sqlite");
  if (!fs.existsSync(file)) return;
  const { DatabaseSync } = require("node:sqlite");
  const { zstdDecompressSync } = require("node:zlib");
  const database = new DatabaseSync(file, { readOnly: true });
  const sessions = new Map();
  const rows = database.prepare("select session_id, event_json, event_zstd from transcript_events order by session_id, seq");
  for (const row of rows.iterate()) {
    const line = row.event_json ?? zstdDecompressSync(row.event_zstd, { maxOutputLength: maxFileBytes }).toString();
    const lines = sessions.get(row.session_id) ?? { bytes: 0, lines: [] };
    if (lines.bytes <= maxFileBytes) lines.lines.push(line);
    lines.bytes += line.length + 1;
    sessions.set(row.session_id, lines);
  }
  for (const [name, lines] of sessions) {
    if (found.length < maxFiles) add(`${agent}/sessions/${name}.jsonl`, lines.lines.join("\n") + "\n");
  }
}

for (const agent of fs.existsSync(agents) ? fs.readdirSync(agents).sort() : []) {
  for (const read of [fromFiles, fromDatabase]) {
    try {
      read(agent);
    } catch (error) {
      found.push({ path: `${agent}/${read.name}`, text: "", truncated: true, unread: String(error) });
    }
  }
}
process.stdout.write(JSON.stringify(found));
