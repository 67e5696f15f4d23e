import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildOpenapi } from '../../src/api/write-openapi.ts'

test('the OpenAPI document that is served is what the endpoints declare', async () => {
  const kept = JSON.parse(await readFile(join(import.meta.dirname, '../../interface/openapi.json'), 'utf8'))
  const stale = JSON.stringify(kept) !== JSON.stringify(await buildOpenapi())
  expect(stale, 'interface/openapi.json is not what the code says: run `npm run openapi`').toBe(false)
})
