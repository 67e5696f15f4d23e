import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadOrCreateDevSecrets } from '../../local/start/dev-secrets.ts'

async function dataDir(content?: string) {
  const dir = await mkdtemp(join(tmpdir(), 'flightline-secrets-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  if (content !== undefined) await writeFile(join(dir, 'secrets.json'), content)
  return { dir, stored: async () => JSON.parse(await readFile(join(dir, 'secrets.json'), 'utf8')) }
}

describe('the secrets of a data directory', () => {
  test('stay the same from start to start', async () => {
    const { dir, stored } = await dataDir()
    const made = await loadOrCreateDevSecrets(dir)
    expect(await loadOrCreateDevSecrets(dir)).toEqual(made)
    expect(await stored()).toEqual(made)
  })

  test.for(['authKeys', 'recordKeys', 'opsPassword', 'gatewayKey', 'webhookSecret'] as const)(
    'that an older checkout did not make are added: %s',
    async (name) => {
      const made = await loadOrCreateDevSecrets((await dataDir()).dir)
      const { [name]: _, ...older } = made
      const { dir, stored } = await dataDir(JSON.stringify(older))
      const loaded = await loadOrCreateDevSecrets(dir)
      expect(loaded).toEqual({ ...older, [name]: expect.any(String) })
      expect(await stored()).toEqual(loaded)
    },
  )

  test.for(['', '{"authKeys":', '[]', 'null', '"text"', '{"authKeys": 1}'])('are damaged: %s', async (content) => {
    const { dir } = await dataDir(content)
    await expect(loadOrCreateDevSecrets(dir)).rejects.toThrow('secrets.json is damaged')
  })
})
