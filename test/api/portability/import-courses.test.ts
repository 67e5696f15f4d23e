import { describe, expect } from 'vitest'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs } from '../../support/imports.ts'
import { buildTraining } from '../../support/training.ts'

const test = schoolTest()

const brings = {
  deviceCeilings: [{ deviceKinds: ['batd'], bps: 1_000 }],
  gradingScale: ['S', 'AGAIN'],
  gradeOptions: [
    { code: 'S', label: 'Passed', passing: true },
    { code: 'AGAIN', label: 'Once more', passing: false },
  ],
}

interface Version {
  id: number
  course: { id: number; name: string }
  label: string
  state: string
  requirements: Record<string, unknown>[]
  stages: { lessons: Record<string, unknown>[] }[]
}

/** Returns a version without what each installation gives itself. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const own = /^(id|createdAt|updatedAt|publishedAt|stageId|lessonId|requirementId)$/
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (own.test(key) ? [] : [[key, withoutIds(one)]])),
  )
}

describe('an import of courses (§Imports)', () => {
  test('takes versions as the interface answers them, with requirements, lessons, tasks and credits', async ({
    api,
    school,
  }) => {
    const { admin } = school
    const { versionId } = await buildTraining(api, school, { part141: true })
    const read = (id: number) => expectOk<Version>(api, admin, 'GET', `/training/versions/${id}`)
    const version = await read(versionId)
    const brought = { ...version, course: { ...version.course, name: 'Brought' }, graduationWithinDays: 90, ...brings }
    const rows = [brought, { ...brought, label: 'Rev Z' }, { ...brought, label: 'Rev D', state: 'draft' }]
    const first = await importAs(api, admin, { kind: 'courses', rows })
    expect(first.rows.map(({ outcome, problems }) => [outcome, problems])).toEqual(rows.map(() => ['created', []]))
    const [made, next, draft] = [
      await read(first.rows[0]!.id!),
      await read(first.rows[1]!.id!),
      await read(first.rows[2]!.id!),
    ]
    expect(draft).toMatchObject({ state: 'draft', graduationWithinDays: 90 })
    expect(withoutIds(made)).toEqual(withoutIds(brought))
    expect(next).toMatchObject({ label: 'Rev Z', course: { id: made.course.id } })
    const requirementIds = made.requirements.map(({ id }) => id)
    const credits = made.stages.flatMap(({ lessons }) =>
      lessons.flatMap((lesson) => lesson.credits as { requirementId: number }[]),
    )
    expect(credits.length).toBeGreaterThan(0)
    for (const { requirementId } of credits) expect(requirementIds).toContain(requirementId)
    const again = await importAs(api, admin, { kind: 'courses', rows: [brought] })
    expect(again.outcomes).toEqual(['unchanged'])
  })

  test.for([
    ['no object', { course: 'Tailwheel' }, 'course: must be a list or an object, as JSON'],
    [
      'a kind that there is not',
      { stages: [{ name: 'A', lessons: [{ name: 'B', kind: 'air' }] }] },
      'stages: has a wrong value at 0.lessons.0.kind',
    ],
    [
      'a share above all',
      { deviceCeilings: [{ deviceKinds: ['batd'], bps: 10_001 }] },
      'deviceCeilings: has a wrong value at 0.bps',
    ],
    [
      'credit of no requirement',
      { stages: [{ name: 'A', lessons: [{ name: 'B', kind: 'flight', credits: [{ requirementId: 9, count: 1 }] }] }] },
      'null: credits.0.requirementId: there is no such requirement',
    ],
    ['a version without lessons', { stages: [] }, 'null: The version has no lessons: add one'],
  ] as const)('refuses a row in plain words: %s', async ([, over, problem], { api, school }) => {
    const row = {
      course: { name: 'Tailwheel' },
      label: 'Rev A',
      state: 'published',
      requirements: [],
      stages: [],
      ...over,
    }
    const { rows } = await importAs(api, school.admin, { kind: 'courses', rows: [row] })
    const [refused] = rows
    expect(refused?.outcome).toBe('refused')
    const words = refused?.problems.map(({ column, message }) => `${column}: ${message}`)
    expect(words?.[0]?.slice(0, 40)).toBe(problem.slice(0, 40))
    const courses = await expectOk<{ name: string }[]>(api, school.admin, 'GET', '/training/courses')
    expect(courses.map(({ name }) => name)).not.toContain('Tailwheel')
  })
})
