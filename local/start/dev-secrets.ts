import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { generateKeySet } from '../../src/shared/platform/adapters/tokens/access-tokens.ts'

/** The secrets that the environment sets in production: token keys, operators' password, simulator's secrets. */
export interface Secrets {
  /** A JWK set, in the form of `AUTH_KEYS`. */
  authKeys: string
  /** A JWK set, in the form of `RECORD_KEYS`. */
  recordKeys: string
  opsPassword: string
  gatewayKey: string
  webhookSecret: string
}

/** Key sets that the secrets contain in place of new ones. */
type GivenKeys = Partial<Pick<Secrets, 'authKeys' | 'recordKeys'>>

/**
 * Returns the secrets of a data directory. They are created at the first start, with the given key sets, and stored in a
 * file that only its owner can read, so that sessions survive a restart. Secrets that the file of an older checkout does not have are
 * added to it.
 * @throws Error when the file is damaged.
 */
export async function loadOrCreateDevSecrets(dataDir: string, given: GivenKeys = {}): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const made = await makeSecrets(given)
  try {
    await writeFile(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stored = await readSecrets(file)
  const all = { ...made, ...stored }
  if (Object.keys(made).some((name) => !(name in stored))) await replaceFile(file, all)
  return all
}

/** Returns the stored secrets, perhaps not all of them. */
async function readSecrets(file: string): Promise<Partial<Secrets>> {
  try {
    return Stored.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    throw new Error(`${file} is damaged: delete it, and everybody signs in again`, { cause })
  }
}

const Stored = z.record(z.string(), z.string())

async function replaceFile(file: string, secrets: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function makeSecrets({ authKeys, recordKeys }: GivenKeys): Promise<Secrets> {
  return {
    authKeys: authKeys ?? JSON.stringify(await generateKeySet()),
    recordKeys: recordKeys ?? JSON.stringify(await generateKeySet()),
    opsPassword: random(12),
    gatewayKey: `sk_test_${random(24)}`,
    webhookSecret: `whsec_${random(24)}`,
  }
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
