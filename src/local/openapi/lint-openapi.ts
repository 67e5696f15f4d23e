import { join } from 'node:path'
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core'

/** Lints `openapi.json` by Redocly's rules and exits with 1 when it breaks one: part of `npm run check`. */
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The router prefers fixed parts to parameters, so that no address is ambiguous to it.
    'no-ambiguous-paths': 'off',
    // Two steps of a browser answer with redirects only, and the health check has no wrong request.
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    // The contract test of the document checks the examples; this rule divides floats, and 1.3 is no multiple of 0.1 to it.
    'no-invalid-media-type-examples': 'off',
    // Refusals of a kind of endpoint stand in every document, even while each endpoint says more of its own.
    'no-unused-components': 'off',
  },
})
const problems = await lint({ ref: join(import.meta.dirname, '../../../openapi.json'), config })
const totals = getTotals(problems)
if (problems.length > 0) formatProblems(problems, { format: 'stylish', totals, version: 'openapi.json' })
process.exitCode = problems.length > 0 ? 1 : 0
