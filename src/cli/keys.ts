import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JSONWebKeySet } from 'jose'
import { createAccessTokens, generateKeySet } from '../shared/platform/adapters/tokens/access-tokens.ts'
import { ConfigError } from '../shared/platform/config/config.ts'

/**
 * The files of a folder of keys, with the functions that make their contents. The `_FILE` variables of
 * docker-compose.yml name the files.
 */
const files: Record<string, () => Promise<string>> = {
  'auth-keys.json': async () => JSON.stringify(await generateKeySet()),
  'record-keys.json': async () => JSON.stringify(await generateKeySet()),
  'ops-password': async () => random(15),
  'stripe-secret-key': async () => `sk_test_${random(24)}`,
  'stripe-webhook-secret': async () => `whsec_${random(24)}`,
}

/** Prints a new key set, for `AUTH_KEYS` or `RECORD_KEYS`. */
export async function printNewKeys(): Promise<void> {
  process.stdout.write(`${JSON.stringify(await generateKeySet())}\n`)
}

/**
 * Creates files in a folder that only its owner may read: the keys that sign tokens, those that seal what is signed, the operators' password, and the
 * key and webhook secret of the payment simulator. Does not change existing files. Prints the names of the files that
 * it created.
 */
export async function makeKeysIn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, make] of Object.entries(files)) {
    const file = join(folder, name)
    try {
      await writeFile(file, `${await make()}\n`, { mode: 0o600, flag: 'wx' })
      process.stdout.write(`flightline: made ${file}\n`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Adds a new key at the start of a key set. The new key signs from then on, and the other keys still verify. With
 * `file`, reads the set from the file and replaces the file in one step. Otherwise reads `AUTH_KEYS` and prints the new
 * set.
 * @throws ConfigError when there is no set, or it is not a key set of the service
 */
export async function rotateKeys(file: string | undefined): Promise<void> {
  const text = file ? await readFile(file, 'utf8') : process.env.AUTH_KEYS
  if (!text) throw new ConfigError('AUTH_KEYS is not set: name a file with --file')
  const old = await parse(text)
  const made = await generateKeySet()
  const rotated = JSON.stringify({ keys: [...made.keys, ...old.keys] })
  if (!file) return void process.stdout.write(`${rotated}\n`)
  await writeFile(`${file}.new`, `${rotated}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  process.stdout.write(
    `flightline: ${file} has ${old.keys.length + 1} keys, the new one first. Restart API and workers. Old keys of AUTH_KEYS can go in 30 days; keep those of RECORD_KEYS.\n`,
  )
}

async function parse(text: string): Promise<JSONWebKeySet> {
  try {
    const set = JSON.parse(text) as JSONWebKeySet
    await createAccessTokens(set)
    return set
  } catch {
    // The parser's message would contain a part of the key.
    throw new ConfigError('this is not a set of our keys')
  }
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
