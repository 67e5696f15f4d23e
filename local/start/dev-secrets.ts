import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
 * file that only its owner can read, so that sessions survive a restart. Version 0.1.0 made no record keys; they are added to its file.
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
  const { recordKeys = null, ...others } = await readSecrets(file)
  const kept = { ...others, recordKeys: recordKeys ?? made.recordKeys }
  if (Object.keys(made).every((name) => typeof kept[name as keyof Secrets] === 'string')) {
    if (recordKeys === null) await replaceFile(file, kept)
    return kept as Secrets
  }
  throw new Error(`${file} is damaged: delete it, and everybody signs in again`)
}

async function readSecrets(file: string): Promise<Partial<Secrets>> {
  const text = await readFile(file, 'utf8')
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

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
