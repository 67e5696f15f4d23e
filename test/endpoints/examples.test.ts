import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TakenExamples, takeExamples } from '../../local/examples/take-examples.ts'
import { cloneDatabase } from '../support/database.ts'

let taken: TakenExamples
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flightline-examples-'))
  taken = await takeExamples(await cloneDatabase(), dataDir)
}, 120_000)
afterAll(() => rm(dataDir, { recursive: true, force: true }))

describe('the examples of the reference, sent in their order to a fresh demo school,', () => {
  test('are all accepted', () => {
    expect(taken.refused).toEqual([])
  })

  test('leave out no operation that is not listed', () => {
    expect(taken.missing).toEqual([])
  })

  test('are those that the document shows; else `npm run examples` records them', async () => {
    const file = join(import.meta.dirname, '../../interface/examples.json')
    expect(taken.examples).toEqual(JSON.parse(await readFile(file, 'utf8')))
  })
})
