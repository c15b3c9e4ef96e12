# Makes the SDK, and compiles it and the program with all that the compiler can check.
set -e
tsc=$(node -p 'require.resolve("typescript/bin/tsc")')
pulumi package gen-sdk thing.json --language nodejs --local --out made
node "$tsc" --project made/nodejs --noUnusedLocals
cp made/nodejs/package.json made/nodejs/bin/
node "$tsc" --strict --noEmit --types node --module nodenext --moduleResolution nodenext index.ts
