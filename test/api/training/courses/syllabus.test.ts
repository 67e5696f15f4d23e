import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { asOwner } from '../../../support/database.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, type TrainingCourse } from '../../../support/training.ts'

const test = sharedSchoolTest()
  .extend(
    'put',
    ({ api, school }) =>
      (part: string, body: unknown, versionId = draft.versionId) =>
        noting(api.as(school.admin).put(`/training/versions/${versionId}/${part}`, body)),
  )
  .extend(
    'remove',
    ({ api, school }) =>
      (part: string) =>
        noting(api.as(school.admin).delete(`/training/versions/${draft.versionId}/${part}`)),
  )
  .extend(
    'post',
    ({ api, school }) =>
      (part: string, body: unknown = {}) =>
        noting(api.as(school.admin).post(`/training/versions/${draft.versionId}/${part}`, body)),
  )
  .extend(
    'read',
    ({ api, school }) =>
      () =>
        expectOk<Version>(api, school.admin, 'GET', `/training/versions/${draft.versionId}`),
  )

let foreign: TrainingCourse
test.beforeAll(async ({ api, school }) => {
  foreign = await buildTraining(api, school, { publish: false })
})

let draft: TrainingCourse
/** Whether a test changed the draft. A refused request leaves it as it is, so that the next test needs no new one. */
let changed = true
test.beforeEach(async ({ api, school }) => {
  if (changed) draft = await buildTraining(api, school, { publish: false })
  changed = false
})

async function noting(answer: Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  const response = await answer
  if (response.statusCode < 300) changed = true
  return response
}

interface Version {
  state: string
  requirements: { id: number; code: string; recencyCalendarMonths: number | null }[]
  stages: {
    id: number
    name: string
    lessons: { id: number; name: string; credits: { requirementId: number }[]; tasks: object[] }[]
  }[]
}

test('a version that is not there is 404', async ({ api, school }) => {
  const answer = await api.as(school.admin).get('/training/versions/2000000000')
  expect([answer.statusCode, answer.json().message]).toEqual([404, 'There is no such version.'])
})

describe('the stages of a draft (§Syllabus version)', () => {
  test('are added and replaced, and read by position', async ({ put, read }) => {
    const added = await put('stages', { name: 'Stage 0', position: 0, objective: 'Get to know the airplane' })
    expect(added.statusCode, added.body).toBe(200)
    const { data } = added.json()
    expect(data).toMatchObject({ stageId: data.id, name: 'Stage 0', requiresStageCheck: false, lessons: [] })
    await put('stages', { stageId: data.id, name: 'Stage zero', position: 7, requiresStageCheck: true })
    expect((await read()).stages).toMatchObject([
      { name: 'Stage 1' },
      { name: 'Stage zero', objective: null, requiresStageCheck: true, position: 7 },
    ])
  })

  test('are deleted with their lessons', async ({ remove, read }) => {
    const response = await remove(`stages/${draft.stageId}`)
    expect([response.statusCode, response.json().data]).toEqual([200, { id: draft.stageId }])
    expect((await read()).stages).toEqual([])
    expect((await remove(`stages/${draft.stageId}`)).statusCode).toBe(404)
  })

  test.for<[string, () => unknown, string]>([
    ['no name', () => ({ position: 1 }), 'name'],
    ['no position', () => ({ name: 'X' }), 'position'],
    ['a negative position', () => ({ name: 'X', position: -1 }), 'position'],
    ['a stage of another version', () => ({ stageId: foreign.stageId, name: 'X', position: 1 }), 'stageId'],
  ])('with %s are refused', async ([_, body, field], { put }) => {
    const response = await put('stages', body())
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })
})

describe('the lessons of a draft (§Syllabus version)', () => {
  const lesson = (extra: Record<string, unknown> = {}) => ({
    stageId: draft.stageId,
    name: 'Stalls',
    position: 5,
    kind: 'flight',
    ...extra,
  })

  test('are added with what they credit, and keep tasks and credits that are left out', async ({ put }) => {
    const added = await put(
      'lessons',
      lesson({
        minFlightDeciHours: 12,
        completionStandards: 'Recovers at the first sign',
        credits: [{ requirementId: draft.hours, clock: 'instruction' }],
      }),
    )
    const { data } = added.json()
    expect(data).toMatchObject({
      lessonId: data.id,
      kind: 'flight',
      minFlightDeciHours: 12,
      minGroundDeciHours: null,
      requiresSignoff: true,
      requiresNotes: false,
      isStageCheck: false,
      credits: [{ requirementId: draft.hours, clock: 'instruction', count: null }],
    })
    await put(`lessons/${data.id}/tasks`, { tasks: [{ name: 'Power-Off Stalls', acsCode: 'PA.VII.B' }] })
    const changed = (await put('lessons', lesson({ lessonId: data.id, name: 'Stalls and slow flight' }))).json().data
    expect(changed).toMatchObject({ name: 'Stalls and slow flight', minFlightDeciHours: null })
    expect(changed.credits).toHaveLength(1)
    expect(changed.tasks).toMatchObject([{ name: 'Power-Off Stalls', acsCode: 'PA.VII.B', standard: null }])
    const emptied = (await put('lessons', lesson({ lessonId: data.id, credits: [] }))).json().data
    expect(emptied.credits).toEqual([])
  })

  test('get all their tasks replaced in the given order', async ({ put }) => {
    const tasks = ['C', 'A', 'B'].map((name) => ({ name }))
    const answered = (await put(`lessons/${draft.lesson}/tasks`, { tasks })).json().data
    expect(answered.map(({ name }: { name: string }) => name)).toEqual(['C', 'A', 'B'])
    expect((await put(`lessons/${draft.lesson}/tasks`, { tasks: [] })).json().data).toEqual([])
    expect((await put(`lessons/${draft.lesson}/tasks`, {})).statusCode).toBe(400)
  })

  test('can be deleted', async ({ remove }) => {
    expect((await remove(`lessons/${draft.lesson}`)).json().data).toEqual({ id: draft.lesson })
    expect((await remove(`lessons/${draft.lesson}`)).statusCode).toBe(404)
  })

  test.for<[string, () => Record<string, unknown>, string]>([
    ['a stage of another version', () => ({ stageId: foreign.stageId }), 'stageId'],
    ['a lesson of another version', () => ({ lessonId: foreign.lesson }), 'lessonId'],
    ['a strange kind', () => ({ kind: 'space' }), 'kind'],
    ['negative time', () => ({ minFlightDeciHours: -1 }), 'minFlightDeciHours'],
    [
      'a requirement of another version',
      () => ({ credits: [{ requirementId: foreign.hours, clock: 'flight' }] }),
      'credits.0.requirementId',
    ],
    ['a count of hours', () => ({ credits: [{ requirementId: draft.hours, count: 1 }] }), 'credits.0.count'],
    [
      'a clock on a count',
      () => ({ credits: [{ requirementId: draft.landings, clock: 'flight' }] }),
      'credits.0.clock',
    ],
    ['credit of nothing', () => ({ credits: [{ requirementId: draft.hours }] }), 'credits.0.clock'],
  ])('with %s are refused', async ([_, extra, field], { put }) => {
    const response = await put('lessons', lesson(extra()))
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })
})

describe('the requirements of a draft (§Syllabus version)', () => {
  const requirement = (extra: Record<string, unknown> = {}) => ({
    code: 'DUAL',
    label: 'Training',
    minDeciHours: 200,
    ...extra,
  })

  test('are hours or a count, under the part of the course by default', async ({ put }) => {
    const { data } = (await put('requirements', requirement({ maxSimulatorBps: 2000 }))).json()
    expect(data).toMatchObject({
      requirementId: data.id,
      code: 'DUAL',
      minDeciHours: 200,
      minCount: null,
      source: 'part61',
      maxSimulatorBps: 2000,
      maxTransferBps: null,
      recencyCalendarMonths: null,
      recencyDays: null,
    })
  })

  test('lose a window that an update leaves out', async ({ put }) => {
    const { data } = (await put('requirements', requirement({ recencyCalendarMonths: 2 }))).json()
    expect(data.recencyCalendarMonths).toBe(2)
    const again = (await put('requirements', requirement({ requirementId: data.id }))).json().data
    expect(again.recencyCalendarMonths).toBeNull()
  })

  test('have unique codes in a version', async ({ put }) => {
    const taken = await put('requirements', requirement({ code: 'hours' }))
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'ALREADY_EXISTS'])
    const renamed = await put(
      'requirements',
      requirement({ requirementId: draft.landings, code: 'HOURS', minDeciHours: null, minCount: 3 }),
    )
    expect(renamed.statusCode).toBe(409)
  })

  test('keep the measure in which lessons credit them', async ({ put }) => {
    const refused = await put('requirements', {
      requirementId: draft.landings,
      code: 'LANDINGS',
      label: 'Landings',
      minDeciHours: 10,
    })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain('minDeciHours: lessons credit this requirement by count')
    const counted = await put('requirements', {
      requirementId: draft.hours,
      code: 'HOURS',
      label: 'Hours',
      minCount: 3,
    })
    expect(counted.json().message).toContain('minCount: lessons credit this requirement in hours')
  })

  test('are deleted with the credits that refer to them', async ({ remove, read }) => {
    expect((await remove(`requirements/${draft.hours}`)).json().data).toEqual({ id: draft.hours })
    const { requirements, stages } = await read()
    expect(requirements.map(({ code }) => code)).toEqual(['LANDINGS'])
    expect(stages[0]?.lessons[0]?.credits).toMatchObject([{ requirementId: draft.landings }])
    expect((await remove(`requirements/${draft.hours}`)).statusCode).toBe(404)
  })

  test.for<[string, () => Record<string, unknown>, string]>([
    ['hours and a count', () => ({ minCount: 3 }), 'minCount'],
    ['neither', () => ({ minDeciHours: null }), 'minDeciHours'],
    ['no hours', () => ({ minDeciHours: 0 }), 'minDeciHours'],
    ['negative hours', () => ({ minDeciHours: -10 }), 'minDeciHours'],
    ['hours beyond reason', () => ({ minDeciHours: 1e15 }), 'minDeciHours'],
    ['more than the whole from a simulator', () => ({ maxSimulatorBps: 10_001 }), 'maxSimulatorBps'],
    ['a negative transfer', () => ({ maxTransferBps: -1 }), 'maxTransferBps'],
    ['a window of no months', () => ({ recencyCalendarMonths: 0 }), 'recencyCalendarMonths'],
    ['two windows', () => ({ recencyCalendarMonths: 2, recencyDays: 60 }), 'recencyDays'],
    ['a strange source', () => ({ source: 'club' }), 'source'],
    ['no code', () => ({ code: '' }), 'code'],
    ['a requirement of another version', () => ({ requirementId: foreign.hours }), 'requirementId'],
  ])('with %s are refused', async ([_, extra, field], { put }) => {
    const response = await put('requirements', requirement(extra()))
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })
})

describe('the grading scale of a draft (§Training)', () => {
  test('is replaced in display order, and a label that is left out is the code', async ({ put }) => {
    const scale = [{ code: 'A', label: 'Above standard', passing: true }, { code: 'M', passing: true }, { code: 'B' }]
    const { data } = (await put('gradingScale', { scale })).json()
    expect(data.gradingScale).toEqual(['A', 'M', 'B'])
    expect(data.gradeOptions).toEqual([
      { code: 'A', label: 'Above standard', passing: true },
      { code: 'M', label: 'M', passing: true },
      { code: 'B', label: 'B', passing: false },
    ])
  })

  test.for([
    ['where every grade fails', [{ code: 'A', passing: false }]],
    [
      'where two grades share a name',
      [
        { code: 'A', passing: true },
        { code: 'a', passing: false },
      ],
    ],
    ['of no grades', []],
    ['of nothing', undefined],
  ] as const)('%s is refused', async ([_, scale], { put }) => {
    const response = await put('gradingScale', { scale })
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith('scale')).toBe(true)
  })
})

describe('publishing a version (§Syllabus version)', () => {
  test('records what the authority approved and happens once', async ({ post }) => {
    const response = await post('publish', { approvedAt: '2026-03-03T00:00:00-05:00', approvalReference: 'FSDO 7' })
    expect(response.json().data).toMatchObject({
      state: 'published',
      publishedAt: '2026-11-21T12:00:00.000Z',
      approvedAt: '2026-03-03T05:00:00.000Z',
      approvalReference: 'FSDO 7',
    })
    const again = await post('publish')
    expect([again.statusCode, again.json().code]).toEqual([409, 'VERSION_NOT_DRAFT'])
  })

  test('needs at least one lesson', async ({ remove, post }) => {
    await remove(`stages/${draft.stageId}`)
    const response = await post('publish')
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('no lessons')
  })

  test('freezes every part: each edit is 409', async ({ put, remove, post }) => {
    await post('publish')
    const edits = await Promise.all([
      put('stages', { name: 'X', position: 1 }),
      put('lessons', { stageId: draft.stageId, name: 'X', position: 1, kind: 'flight' }),
      put(`lessons/${draft.lesson}/tasks`, { tasks: [] }),
      put('requirements', { code: 'X', label: 'X', minCount: 1 }),
      put('gradingScale', { scale: [{ code: 'A', passing: true }] }),
      remove(`stages/${draft.stageId}`),
      remove(`lessons/${draft.lesson}`),
      remove(`requirements/${draft.hours}`),
    ])
    expect(edits.map((edit) => [edit.statusCode, edit.json().code])).toEqual(
      edits.map(() => [409, 'VERSION_NOT_DRAFT']),
    )
  })

  test('freezes every part in the database too', async ({ api, post }) => {
    await post('publish')
    const run = (sql: string) => asOwner(api, sql, [draft.versionId])
    for (const table of ['stage', 'requirement', 'lesson', 'task', 'credit']) {
      await expect(run(`update syllabus_${table} set updated_at = now() where version_id = $1`)).rejects.toThrow(
        'cannot change',
      )
      await expect(run(`delete from syllabus_${table} where version_id = $1`)).rejects.toThrow(
        /cannot change|foreign key/,
      )
    }
    await expect(
      run(`insert into syllabus_stage (organization_id, version_id, name, position)
        select organization_id, id, 'x', 9 from syllabus_version where id = $1`),
    ).rejects.toThrow('cannot change')
    for (const change of ["label = 'x'", "grading_scale = '[]'", "state = 'draft', published_at = null"]) {
      await expect(run(`update syllabus_version set ${change} where id = $1`)).rejects.toThrow('cannot change')
    }
    await expect(run('delete from syllabus_version where id = $1')).rejects.toThrow('cannot change')
  })

  test('moves no part of a draft into it', async ({ api, school, post }) => {
    const published = draft.versionId
    await post('publish')
    const other = await buildTraining(api, school, { publish: false })
    await expect(
      api.core.database.pool.query('update syllabus_requirement set version_id = $1 where id = $2', [
        published,
        other.landings,
      ]),
    ).rejects.toThrow()
  })
})

describe('retiring a version (§Syllabus version)', () => {
  test('closes the version to new students, and reopens it', async ({ api, school, post }) => {
    await post('publish')
    expect((await post('retire', { retired: true })).json().data.state).toBe('retired')
    const enrolment = () =>
      api
        .as(school.admin)
        .post('/training/enrollments', { versionId: draft.versionId, orgUserId: school.student.orgUserId })
    const refused = await enrolment()
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'VERSION_RETIRED'])
    expect((await post('retire', { retired: false })).json().data.state).toBe('published')
    expect((await enrolment()).statusCode).toBe(200)
  })

  test('is refused for a draft and without a direction', async ({ post }) => {
    expect((await post('retire', { retired: true })).json().code).toBe('VERSION_IS_DRAFT')
    expect((await post('retire', {})).statusCode).toBe(400)
  })
})
