// Runs a server over stdio as the official TypeScript client, lists its tools
// and makes the calls of standard input, a JSON array of tools/call parameters,
// one after the other. Prints what the server answered as one JSON object.
//
//   node client.mjs server [argument...] <calls.json
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const calls = JSON.parse(readFileSync(0, "utf8"));
const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "typescript", version: "1" });
await client.connect(new StdioClientTransport({ command, args }));

// Once the tools are listed the client checks every structured result against
// the tool's output schema, and throws when it does not fit.
const { tools } = await client.listTools();
const replies = [];
for (const call of calls) {
  replies.push(await client.callTool(call));
}
await client.close();
console.log(JSON.stringify({ server: client.getServerVersion(), tools, replies }));
