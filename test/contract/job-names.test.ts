import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allJobs } from '../../src/shared/composition/all-jobs.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** `reservations.judge-at-risk` → `judgeAtRisk` */
const contractOf = (job: string) =>
  (job.split('.')[1] ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const contracts = globSync('src/shared/**/*.jobs.ts', { cwd: root }).flatMap((file) =>
  [...read(file).matchAll(/export const (\w+) = define\w*Job\(\{\s*name: '([^']+)'/g)].map(([, contract, job]) => ({
    contract,
    job: job ?? '',
  })),
)

describe('a job has one name', () => {
  test('its contract is named as the job', () => {
    expect(contracts.map(({ job }) => job).sort()).toEqual(Object.keys(allJobs).sort())
    expect(contracts.filter(({ contract, job }) => contract !== contractOf(job))).toEqual([])
  })

  test('its processor is named as the job', () => {
    const rows = [...read('src/workers/registry.ts').matchAll(/^ {2}'([^']+)': (\w+)/gm)]
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter(([, job = '', processor]) => processor !== `${contractOf(job)}Processor`)).toEqual([])
  })
})
