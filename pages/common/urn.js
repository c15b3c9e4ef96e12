// urn.js — the parts of URNs and types.

export function urnName(urn) {
  const parts = urn.split("::");
  return parts.length < 4 ? urn : parts.slice(3).join("::");
}

export function urnType(urn) {
  const parts = urn.split("::");
  return parts.length < 4 ? "" : parts[2].split("$").pop();
}

const PROVIDER = "pulumi:providers:";

export function isProviderType(type) {
  return type.startsWith(PROVIDER);
}

export function packageOf(type) {
  return isProviderType(type) ? type.slice(PROVIDER.length) : type.split(":")[0] || "(none)";
}

// "aws:s3/bucket:Bucket" → "s3 Bucket"; "random:index/randomPet:RandomPet" → "RandomPet".
export function shortType(type) {
  if (isProviderType(type)) return "provider " + type.slice(PROVIDER.length);
  const parts = type.split(":");
  const name = parts[parts.length - 1];
  const module = (parts.length > 2 ? parts[1] : "").split("/")[0];
  return module && module !== "index" && module !== parts[0] ? `${module} ${name}` : name;
}
