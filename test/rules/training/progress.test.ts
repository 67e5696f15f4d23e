import { describe, expect, test } from 'vitest'
import {
  defaultGradingScale,
  isOnScale,
  isPassing,
  scaleProblem,
} from '../../../src/shared/training/courses/grading.rules.ts'
import {
  inSyllabusOrder,
  isCompleted,
  isOffered,
  outOfOrderWarning,
  skippedBefore,
  unfinishedFirst,
} from '../../../src/shared/training/enrollments/progress.rules.ts'

const lesson = (id: number, stagePosition: number, position: number, requiresSignoff = true) => ({
  id,
  name: `Lesson ${id}`,
  stageId: stagePosition,
  stagePosition,
  position,
  requiresSignoff,
})
const record = (lessonId: number, grade: string | null, given: { signed?: boolean; amended?: boolean } = {}) => ({
  lessonId,
  grade,
  signed: true,
  amended: false,
  ...given,
})

describe('a grading scale (§Training)', () => {
  test('is S, U and I by default, of which S passes', () => {
    expect(scaleProblem(defaultGradingScale)).toBeNull()
    expect(['S', 'U', 'I', 'X', null].map((grade) => isPassing(defaultGradingScale, grade))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
    expect(isOnScale(defaultGradingScale, 'X')).toBe(false)
  })

  const option = (code: string, passing: boolean, label = `Grade ${code}`) => ({ code, label, passing })
  test.each([
    [[option('A', true), option('B', true)], null],
    [[option('A', false), option('B', false)], 'scale: at least one grade must pass'],
    [[], 'scale: at least one grade must pass'],
    [[option('A', true), option('a', false, 'Other')], 'scale.1.code: two grades share the name a'],
    [[option('A', true, 'Good'), option('B', false, 'good')], 'scale.1.label: two grades share the name good'],
  ])('is refused when it is %j', (scale, problem) => {
    expect(scaleProblem(scale)).toBe(problem)
  })
})

describe('a lesson (§Training)', () => {
  const completed = (requiresSignoff: boolean, ...records: ReturnType<typeof record>[]) =>
    isCompleted({ id: 1, requiresSignoff }, records, defaultGradingScale)

  test('is completed by a passing grade, signed where the lesson requires a sign-off', () => {
    expect(completed(true, record(1, 'S'))).toBe(true)
    expect(completed(true, record(1, 'S', { signed: false }))).toBe(false)
    expect(completed(false, record(1, 'S', { signed: false }))).toBe(true)
    expect(completed(true, record(1, 'U'), record(2, 'S'))).toBe(false)
    expect(completed(true, record(1, 'U'), record(1, 'S'))).toBe(true)
  })

  test('is not completed by a record that was amended', () => {
    expect(completed(true, record(1, 'S', { amended: true }), record(1, 'U'))).toBe(false)
  })
})

describe('the order of the syllabus (§Training)', () => {
  const lessons = [lesson(4, 2, 0), lesson(2, 1, 5), lesson(1, 1, 0), lesson(3, 1, 5)]

  test('is by stage, then by position, then by creation', () => {
    expect(inSyllabusOrder(lessons).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })

  test('is broken by an earlier lesson that is not passed', () => {
    const skipped = (...records: ReturnType<typeof record>[]) =>
      skippedBefore(4, lessons, records, defaultGradingScale).map(({ id }) => id)
    expect(skipped()).toEqual([1, 2, 3])
    expect(skipped(record(1, 'S', { signed: false }), record(2, 'U'), record(3, 'S'))).toEqual([2])
    expect(skippedBefore(1, lessons, [], defaultGradingScale)).toEqual([])
  })

  test('is warned about with the first three lessons by name', () => {
    expect(outOfOrderWarning([])).toBeNull()
    expect(outOfOrderWarning([lesson(1, 0, 0)])).toMatch(/not passed yet: Lesson 1\.$/)
    expect(outOfOrderWarning([1, 2, 3, 4, 5].map((id) => lesson(id, 0, id)))).toMatch(
      /Lesson 1, Lesson 2, Lesson 3 and 2 more\.$/,
    )
  })
})

describe('the candidates that a booking can close out (§Training, GET /training/candidates)', () => {
  test.each([
    ['dual', ['flight']],
    ['solo', ['flight']],
    ['ground', ['ground']],
    ['sim', ['sim']],
    ['rental', []],
    ['guest', []],
    ['shared', []],
    ['maintenance', []],
    [undefined, ['ground', 'flight', 'sim']],
    ['rental,sim,dual', ['flight', 'sim']],
  ])('depend on its type: %s: %j', (type, kinds) => {
    const types = type?.split(',')
    expect((['ground', 'flight', 'sim'] as const).filter((kind) => isOffered(kind, types))).toEqual(kinds)
  })

  test('have unfinished lessons first', () => {
    const lessons = [1, 2, 3, 4].map((id) => ({ id, completed: id % 2 === 1 }))
    expect(unfinishedFirst(lessons).map(({ id }) => id)).toEqual([2, 4, 1, 3])
  })
})
