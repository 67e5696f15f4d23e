import { describe, expect, test } from 'vitest'
import { judgedTests } from '../../../src/shared/training/readiness/readiness.types.ts'
import { judgeReadiness } from '../../../src/shared/training/readiness/readiness.rules.ts'
import { readyFor } from './readiness-facts.ts'

describe('readiness for a practical test (§28.2, 14 CFR 61.39)', () => {
  test.each(judgedTests)('of a student with everything for the %s test is ready', (sought) => {
    const { verdict, open, items } = judgeReadiness(readyFor(sought))
    expect(items.filter(({ status }) => status !== 'met')).toEqual([])
    expect({ verdict, open }).toEqual({ verdict: 'ready', open: 0 })
  })
})
