import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { generateKeySet } from '../shared/adapters/tokens/access-tokens.ts'

const Secrets = z.object({
  authKeys: z.string(),
  opsPassword: z.string(),
  processorKey: z.string(),
  webhookSecret: z.string(),
})

/** What the environment would bring in production: the token keys, the operators' password, the simulator's secrets. */
export type Secrets = z.output<typeof Secrets>

/**
 * The secrets of a data directory, made at its first start and kept in a file that its owner alone may read, so that
 * nobody is signed out by a restart. @throws Error when the file is damaged.
 */
export async function keptSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const made = await makeSecrets()
  try {
    await writeFile(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  try {
    return Secrets.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    throw new Error(`${file} is damaged: delete it, and everybody signs in again`)
  }
}

async function makeSecrets(): Promise<Secrets> {
  return {
    authKeys: JSON.stringify(await generateKeySet()),
    opsPassword: random(12),
    processorKey: `sk_test_${random(24)}`,
    webhookSecret: `whsec_${random(24)}`,
  }
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
