import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

process.env.TEST_QUEUES = 'redis'

const root = join(import.meta.dirname, '../..')
const concernsRedis = (file: string) => readFileSync(join(root, file), 'utf8').includes('testedBackends()')

/**
 * `npm run test:redis`: the tests whose result can depend on queues or rate limits in Redis. It needs `redis-server`.
 */
export default defineConfig({
  ...base,
  root,
  test: {
    ...base.test,
    include: globSync('test/**/*.test.ts', { cwd: root }).filter(concernsRedis),
    exclude: configDefaults.exclude,
  },
})
