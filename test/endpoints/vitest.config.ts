import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

process.env.TEST_ENDPOINTS = 'alone'

/**
 * The walks over every endpoint: with every role, on records of other organizations, with every hostile value, through every
 * page and sort key, with the examples of the document: `npm run test:endpoints`.
 */
export default defineConfig({
  ...base,
  root: join(import.meta.dirname, '../..'),
  test: { ...base.test, include: ['test/endpoints/**/*.test.ts'], exclude: configDefaults.exclude },
})
