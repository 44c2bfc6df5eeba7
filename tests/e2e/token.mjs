// Makes what stands for GITHUB_TOKEN: an installation token of the app `github-actions` with a job's own permissions.
//   node token.mjs key FILE                     writes a fresh private key
//   node token.mjs token FILE ADDRESS JSON      prints a token with the permissions in JSON
import { createSign, generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [what, file, address, permissions] = process.argv.slice(2);
if (what === "key") {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(file, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
} else {
  const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const head = `${encoded({ alg: "RS256", typ: "JWT" })}.${encoded({ iat: now - 60, exp: now + 500, iss: "15368" })}`;
  const signature = createSign("RSA-SHA256").update(head).sign(readFileSync(file)).toString("base64url");
  const reply = await fetch(`${address}/app/installations/100/access_tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${head}.${signature}`, "content-type": "application/json" },
    body: JSON.stringify({ permissions: JSON.parse(permissions) }),
  });
  const { token } = await reply.json();
  if (!token) throw new Error(`no token: ${reply.status}`);
  console.log(token);
}
