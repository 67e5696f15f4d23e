// Generates Prisma's client, before the peers are started. It compiles queries in JavaScript, and generating reads only the schema, so no engine is needed:
// the variable names a program that is there, so that none is downloaded.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
const args = [join(import.meta.dirname, 'node_modules/prisma/build/index.js'), 'generate', '--no-hints']
const { status } = spawnSync(process.execPath, [...args, '--schema', join(import.meta.dirname, 'schema.prisma')], {
  cwd: import.meta.dirname,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.exit(status ?? 1)
