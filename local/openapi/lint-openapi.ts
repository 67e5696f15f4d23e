import { join } from 'node:path'
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core'

/** Part of `npm run check`: lints `interface/openapi.json` with Redocly's rules and exits with 1 when it finds a problem. */
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The router prefers fixed path segments to parameters, so that no path is ambiguous for it.
    'no-ambiguous-paths': 'off',
    // Two endpoints of the sign-in to a provider answer with redirects only (no 2xx), and the health check refuses no
    // request (no 4xx).
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    // A contract test checks the examples. This rule divides floats, for which 1.3 is not a multiple of 0.1.
    'no-invalid-media-type-examples': 'off',
  },
})
const problems = await lint({ ref: join(import.meta.dirname, '../../interface/openapi.json'), config })
const totals = getTotals(problems)
if (problems.length > 0) formatProblems(problems, { format: 'stylish', totals, version: 'interface/openapi.json' })
process.exitCode = problems.length > 0 ? 1 : 0
