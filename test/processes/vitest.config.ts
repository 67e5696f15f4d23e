import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

process.env.TEST_PROCESSES = 'alone'

/**
 * The tests that start, stop and kill whole processes of the service and PostgreSQL servers, and those that lose connections
 * and race: `npm run test:processes`.
 */
export default defineConfig({
  ...base,
  root: join(import.meta.dirname, '../..'),
  test: {
    ...base.test,
    include: ['test/processes/**/*.test.ts', 'test/faults/**/*.test.ts'],
    exclude: configDefaults.exclude,
  },
})
