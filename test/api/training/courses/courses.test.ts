import { describe, expect } from 'vitest'
import type { Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'
import { buildTraining, enrol, type TrainingCourse } from '../../../support/training.ts'

interface Course {
  id: number
  versions: { id: number; label: string; state: string }[]
}

const test = sharedSchoolTest()
  .extend(
    'send',
    ({ api, school }) =>
      (method: 'POST' | 'PATCH', url: string, body: unknown, who: Member = school.admin) =>
        api.call(method, url, { token: who.token, body }),
  )
  .extend(
    'create',
    ({ api, school }) =>
      (extra: Record<string, unknown> = {}) =>
        expectOk<Course>(api, school.admin, 'POST', '/training/courses', { name: 'Instrument rating', ...extra }),
  )
  /** Adds 200 lessons with eight tasks and a credit each, by bare SQL. */
  .extend('growTo200', ({ api }) => async (course: TrainingCourse): Promise<void> => {
    const { pool } = api.core.database
    await pool.query(
      `insert into syllabus_lesson (organization_id, version_id, stage_id, name, position, kind)
     select organization_id, version_id, id, 'Lesson ' || n, n, 'flight' from syllabus_stage, generate_series(1, 200) n
     where id = $1`,
      [course.stageId],
    )
    await pool.query(
      `insert into syllabus_task (organization_id, version_id, lesson_id, position, name, acs_code)
     select organization_id, version_id, id, n, 'Task ' || n, 'PA.I.A' from syllabus_lesson, generate_series(1, 8) n
     where version_id = $1`,
      [course.versionId],
    )
    await pool.query(
      `insert into syllabus_credit (organization_id, version_id, lesson_id, requirement_id, clock)
     select organization_id, version_id, id, $2::int, 'ground' from syllabus_lesson where version_id = $1`,
      [course.versionId, course.hours],
    )
  })

describe('a course (§Training)', () => {
  test('is created with an empty draft, Rev A', async ({ send }) => {
    const response = await send('POST', '/training/courses', {
      name: 'Instrument rating',
      description: 'For private pilots',
      enrollmentFeeCents: 25_000,
      enrollmentFeeLabel: 'Books',
      certificateSought: 'instrument',
      ratingId: 11,
      targetDays: 120,
    })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      name: 'Instrument rating',
      description: 'For private pilots',
      enrollmentFeeCents: 25_000,
      enrollmentFeeLabel: 'Books',
      regulatoryPart: 'part61',
      certificateSought: 'instrument',
      ratingId: 11,
      rating: { id: 11, code: 'IR-A', name: 'Instrument airplane' },
      targetDays: 120,
      archived: false,
      versions: [{ label: 'Rev A', state: 'draft', lessons: 0, publishedAt: null }],
    })
  })

  test.for<[string, Record<string, unknown>, string]>([
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a strange part', { regulatoryPart: 'part91' }, 'regulatoryPart'],
    ['a strange certificate', { certificateSought: 'astronaut' }, 'certificateSought'],
    ['a rating that there is not', { ratingId: 999 }, 'ratingId'],
    ['a negative fee', { enrollmentFeeCents: -1 }, 'enrollmentFeeCents'],
    ['a fee beyond reason', { enrollmentFeeCents: 1e15 }, 'enrollmentFeeCents'],
    ['a plan of no days', { targetDays: 0 }, 'targetDays'],
  ])('with %s is refused', async ([_, extra, field], { send }) => {
    const response = await send('POST', '/training/courses', { name: 'X', ...extra })
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })

  test('changes in what is given, and never in the part under which it runs', async ({ send, create }) => {
    const { id } = await create({ targetDays: 90 })
    const response = await send('PATCH', `/training/courses/${id}`, {
      name: 'IR',
      targetDays: null,
      enrollmentFeeCents: 100,
      regulatoryPart: 'part141',
    })
    expect(response.json().data).toMatchObject({
      name: 'IR',
      targetDays: null,
      enrollmentFeeCents: 100,
      regulatoryPart: 'part61',
    })
    expect((await send('PATCH', `/training/courses/${id}`, { ratingId: 999 })).statusCode).toBe(400)
  })

  test('is hidden and takes no students while it is archived, and can return', async ({ api, school, send }) => {
    const course = await buildTraining(api, school)
    const list = async (query = '') =>
      (await expectOk<Course[]>(api, school.admin, 'GET', `/training/courses${query}`)).some(
        ({ id }) => id === course.courseId,
      )
    const archive = (archived: boolean) =>
      expectOk(api, school.admin, 'PATCH', `/training/courses/${course.courseId}`, { archived })
    await archive(true)
    expect([await list(), await list('?includeArchived=true')]).toEqual([false, true])
    const body = { versionId: course.versionId, orgUserId: school.student.orgUserId }
    const refused = await send('POST', '/training/enrollments', body)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'COURSE_ARCHIVED'])
    await archive(false)
    expect(await list()).toBe(true)
    await enrol(api, school, course, school.student)
  })
})

describe('another version of a course (§Syllabus version)', () => {
  test('is an empty draft under its own label', async ({ send, create }) => {
    const { id } = await create()
    const add = (label: unknown) => send('POST', `/training/courses/${id}/versions`, { label })
    const made = await add('Rev B')
    expect(made.statusCode).toBe(200)
    expect(made.json().data).toMatchObject({
      label: 'Rev B',
      state: 'draft',
      stages: [],
      gradingScale: ['S', 'U', 'I'],
    })
    for (const label of ['Rev A', 'rev b']) {
      const taken = await add(label)
      expect([taken.statusCode, taken.json().code]).toEqual([409, 'ALREADY_EXISTS'])
    }
    expect((await add('')).statusCode).toBe(400)
  })

  test('is refused to the second of two callers with one label at once', async ({ send, create }) => {
    const { id } = await create()
    const both = await Promise.all(
      [1, 2].map(() => send('POST', `/training/courses/${id}/versions`, { label: 'Rev B' })),
    )
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
  })

  test('that is copied shares nothing with its source', async ({ api, school, send }) => {
    const source = await buildTraining(api, school)
    const url = `/training/courses/${source.courseId}/versions`
    const copy = (await send('POST', url, { label: 'Rev B', copyFromVersionId: source.versionId })).json().data
    const original = await expectOk<Syllabus>(api, school.admin, 'GET', `/training/versions/${source.versionId}`)
    expect(idsIn(copy).filter((id) => idsIn(original).includes(id))).toEqual([])
    expect(contentOf(copy)).toEqual(contentOf(original))
    const [stage] = copy.stages
    await expectOk(api, school.admin, 'PUT', `/training/versions/${copy.id}/stages`, {
      stageId: stage.id,
      name: 'Rewritten',
      position: 3,
    })
    expect(await expectOk(api, school.admin, 'GET', `/training/versions/${source.versionId}`)).toEqual(original)
  })

  test('of 200 lessons with tasks and credits is copied and read in as many statements as a small one', async ({
    api,
    school,
    growTo200,
  }) => {
    const source = await buildTraining(api, school, { publish: false })
    const copy = (label: string) =>
      countStatements(api, () =>
        expectOk<Syllabus>(api, school.admin, 'POST', `/training/courses/${source.courseId}/versions`, {
          label,
          copyFromVersionId: source.versionId,
        }),
      )
    const small = await copy('Rev B')
    await growTo200(source)
    const large = await copy('Rev C')
    expect(large.result.stages[0]?.lessons).toHaveLength(203)
    expect(contentOf(large.result)).toEqual(
      contentOf(await expectOk(api, school.admin, 'GET', `/training/versions/${source.versionId}`)),
    )
    expect(large.statements).toHaveLength(small.statements.length)
    const read = await countStatements(api, () =>
      expectOk(api, school.admin, 'GET', `/training/versions/${source.versionId}`),
    )
    // Who calls, the version with its stages and requirements, and its lessons.
    expect(read.statements).toHaveLength(3)
  })
})

interface Syllabus {
  requirements: { id: number; code: string }[]
  stages: { id: number; lessons: { id: number; tasks: { id: number }[] }[] }[]
  gradeOptions: unknown
}

/** The ids inside a version, each with what it is of. */
function idsIn(version: Syllabus): string[] {
  return version.stages.flatMap((stage) => [
    `stage ${stage.id}`,
    ...stage.lessons.flatMap((lesson) => [`lesson ${lesson.id}`, ...lesson.tasks.map(({ id }) => `task ${id}`)]),
  ])
}

/** A version without ids, names of its own and instants: requirements by code. */
function contentOf({ requirements, stages, gradeOptions }: Syllabus): unknown {
  const codes = new Map(requirements.map(({ id, code }) => [id, code]))
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !['id', 'stageId', 'lessonId', 'createdAt', 'updatedAt'].includes(key))
        .map(([key, part]) => (key === 'requirementId' ? [key, codes.get(part as number)] : [key, strip(part)])),
    )
  }
  return strip({ requirements, stages, gradeOptions })
}

test('the ratings are a catalog that every member reads', async ({ api, school }) => {
  const list = await expectOk<{ id: number; code: string }[]>(api, school.renter, 'GET', '/ratings?limit=2')
  expect(list.map(({ code }) => code)).toEqual(['ASEL', 'AMEL'])
})
