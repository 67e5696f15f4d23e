import { describe, expect, test } from 'vitest'
import {
  type PlanInput,
  type PlannedTest,
  planAfter,
} from '../../../src/shared/training/enrollments/planned-test.rules.ts'
import { readinessAt } from '../../../src/shared/training/readiness/judged-at.rules.ts'

const june = new Date('2026-06-20T16:00:00Z')
const july = new Date('2026-07-02T16:00:00Z')
const none: PlannedTest = { at: null, applicationAt: null, resourceId: null, examiner: null, location: null }
const stored: PlannedTest = { at: june, applicationAt: june, resourceId: 7, examiner: 'Ada Okafor', location: 'KHWD' }

describe('the plan of a test (§28.1)', () => {
  test.each<[string, PlanInput, PlannedTest]>([
    ['nothing', {}, stored],
    ['another time in the old field', { plannedTestAt: july }, { ...stored, at: july }],
    ['no time in the old field', { plannedTestAt: null }, none],
    ['an application in the old field', { plannedApplicationAt: null }, { ...stored, applicationAt: null }],
    ['another time', { plannedTest: { at: july } }, { ...stored, at: july }],
    [
      'another aircraft, and no examiner',
      { plannedTest: { at: june, resourceId: 8, examiner: null } },
      { ...stored, resourceId: 8, examiner: null },
    ],
    ['the same time twice', { plannedTest: { at: july }, plannedTestAt: july }, { ...stored, at: july }],
    [
      'another time, and its application in the old field',
      { plannedTest: { at: july }, plannedApplicationAt: july },
      { ...stored, at: july, applicationAt: july },
    ],
    ['no time', { plannedTest: { at: null, location: 'KPAO' } }, none],
    ['no plan', { plannedTest: null }, none],
  ])('after %s', (_says, input, plan) => {
    expect(planAfter(stored, input)).toEqual(plan)
  })

  test.each<[string, PlanInput, string]>([
    ['two times', { plannedTest: { at: june }, plannedTestAt: july }, 'plannedTestAt: differs from plannedTest'],
    ['a time and none', { plannedTest: { at: june }, plannedTestAt: null }, 'plannedTestAt: differs from plannedTest'],
    [
      'two applications',
      { plannedTest: { at: july, applicationAt: july }, plannedApplicationAt: june },
      'plannedApplicationAt: differs from plannedTest',
    ],
    [
      'an application after the test',
      { plannedTest: { at: june, applicationAt: july } },
      'plannedTest.applicationAt: must not be after the test',
    ],
    [
      'an application after the test in the old fields',
      { plannedTestAt: june, plannedApplicationAt: july },
      'plannedTest.applicationAt: must not be after the test',
    ],
    [
      'no test, and an application in the old field',
      { plannedTest: null, plannedApplicationAt: june },
      'plannedApplicationAt: differs from plannedTest',
    ],
    [
      'a test before the stored application',
      { plannedTest: { at: new Date('2026-06-19T16:00:00Z') } },
      'plannedTest.applicationAt: must not be after the test',
    ],
  ])('is refused with %s', (_says, input, message) => {
    expect(() => planAfter(stored, input)).toThrow(message)
  })
})

describe('the instants at which readiness is judged (§28.1)', () => {
  const now = new Date('2026-06-01T12:00:00Z')
  const plan = { plannedTestAt: july, plannedApplicationAt: june }

  test('are the planned ones, or now', () => {
    expect(readinessAt(plan, undefined, now)).toEqual({ at: july, applicationAt: june })
    expect(readinessAt({ plannedTestAt: july, plannedApplicationAt: null }, undefined, now)).toEqual({
      at: july,
      applicationAt: july,
    })
    expect(readinessAt({ plannedTestAt: null, plannedApplicationAt: null }, undefined, now)).toEqual({
      at: now,
      applicationAt: now,
    })
  })

  test('move together, and the application is never after the test', () => {
    const at = new Date('2026-08-02T16:00:00Z')
    expect(readinessAt(plan, at, now)).toEqual({ at, applicationAt: new Date('2026-07-21T16:00:00Z') })
    expect(readinessAt({ plannedTestAt: june, plannedApplicationAt: july }, at, now)).toEqual({ at, applicationAt: at })
  })

  test('are within two years', () => {
    const at = (text: string) => readinessAt(plan, new Date(text), now)
    expect(at('2028-06-01T12:00:00Z').at).toEqual(new Date('2028-06-01T12:00:00Z'))
    expect(() => at('2028-06-01T12:00:01Z')).toThrow('at: must be within two years from now')
    expect(() => at('2024-06-01T11:59:59Z')).toThrow('at: must be within two years from now')
  })
})
