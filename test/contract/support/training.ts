import type { TestApp } from '../../support/app.ts'
import { buildMember, type Member, type School } from '../../support/builders.ts'
import { expectOk } from '../../support/flights.ts'

interface Part {
  id: number
}

/** A syllabus as the interface answers it, as far as it is needed here. */
interface Syllabus extends Part {
  requirements: { requirementId: number }[]
  stages: { stageId: number; lessons: { lessonId: number }[] }[]
}

/** One training record of every kind: a course with a draft and a published version, and the student's training on it. */
export interface TrainingRecords {
  course: number
  draft: number
  draftStage: number
  draftLesson: number
  draftRequirement: number
  /** Can be published. */
  publishable: number
  published: number
  requirement: number
  lesson: number
  enrollment: number
  /** Of other students. */
  endingEnrollment: number
  graduatingEnrollment: number
  graduatedEnrollment: number
  /** Not signed; signed; signed too. */
  graded: number
  /** Another that is not signed. */
  unsigned: number
  signed: number
  amendable: number
  credit: number
  endorsement: number
  test: number
  otherTest: number
  /** Recorded by the admin in the instructor's name. */
  endorsementToConfirm: number
  endorsementToDisown: number
  grant: number
}

/** Builds it through the interface, as an admin and the school's instructor. */
export async function buildTraining(api: TestApp, school: School, pupil: Member): Promise<TrainingRecords> {
  const { admin, instructor, student } = school
  const call = <T = Part>(who: Member, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    expectOk<T>(api, who, method, `/training/${path}`, body)
  const made = await call<Part & { versions: Part[] }>(admin, 'POST', 'courses', {
    name: 'Private pilot',
    enrollmentFeeCents: 15_000,
  })
  const published = made.versions[0]?.id ?? 0
  const whole = await writeSyllabus((path, body) => call(admin, 'PUT', `versions/${published}/${path}`, body))
  await call(admin, 'POST', `versions/${published}/publish`, {})
  const copies = await Promise.all(
    ['Rev B', 'Rev C'].map((label) =>
      call(admin, 'POST', `courses/${made.id}/versions`, { label, copyFromVersionId: published }),
    ),
  )
  const [draft, publishable] = copies.map(({ id }) => id)
  const copy = await call<Syllabus>(admin, 'GET', `versions/${draft}`)
  const enrol = async ({ orgUserId }: Member) =>
    (await call(admin, 'POST', 'enrollments', { versionId: published, orgUserId })).id
  const enrollment = await enrol(student)
  const graduated = await enrol(await buildMember(api, school.organizationId, ['student']))
  await call(admin, 'POST', `enrollments/${graduated}/graduate`, {})
  const grade = async () =>
    (
      await call(instructor, 'POST', 'records', {
        enrollmentId: enrollment,
        lessonId: whole.lesson,
        grade: 'S',
        flightDeciHours: 12,
      })
    ).id
  const sign = async (id: number) => (await call(instructor, 'POST', `records/${id}/sign`, {})).id
  const manual = { requirementId: whole.requirement, source: 'manual', deciHours: 5, notes: 'Logbook of 2019' }
  return {
    course: made.id,
    draft: draft ?? 0,
    draftStage: copy.stages[0]?.stageId ?? 0,
    draftLesson: copy.stages[0]?.lessons[0]?.lessonId ?? 0,
    draftRequirement: copy.requirements[0]?.requirementId ?? 0,
    publishable: publishable ?? 0,
    published,
    ...whole,
    enrollment,
    endingEnrollment: await enrol(pupil),
    graduatingEnrollment: await enrol(await buildMember(api, school.organizationId, ['student'])),
    graduatedEnrollment: graduated,
    graded: await grade(),
    unsigned: await grade(),
    signed: await sign(await grade()),
    amendable: await sign(await grade()),
    credit: (await call(admin, 'POST', 'credits', { enrollmentId: enrollment, ...manual })).id,
    endorsement: (await call(instructor, 'POST', 'endorsements', endorsementOf(student))).id,
    test: (await call(instructor, 'POST', 'tests', { enrollmentId: enrollment, ...knowledgeTest })).id,
    otherTest: (await call(instructor, 'POST', 'tests', { orgUserId: pupil.orgUserId, ...knowledgeTest })).id,
    endorsementToConfirm: (await call(admin, 'POST', 'endorsements', inNameOf(instructor, student))).id,
    endorsementToDisown: (await call(admin, 'POST', 'endorsements', inNameOf(instructor, student))).id,
    grant: (await call(admin, 'POST', 'grants', { orgUserId: pupil.orgUserId, grant: 'auditor' })).id,
  }
}

/** One stage with one flight lesson that posts to a requirement of the school's own. */
async function writeSyllabus(put: (path: string, body: object) => Promise<object>) {
  const { requirementId } = (await put('requirements', {
    code: 'DUAL',
    label: 'Dual instruction',
    minDeciHours: 10,
    source: 'school',
  })) as { requirementId: number }
  const { stageId } = (await put('stages', { name: 'First solo', position: 1 })) as { stageId: number }
  const { lessonId } = (await put('lessons', {
    stageId,
    name: 'Stalls',
    position: 1,
    kind: 'flight',
    credits: [{ requirementId, clock: 'flight' }],
  })) as { lessonId: number }
  return { requirement: requirementId, lesson: lessonId }
}

const knowledgeTest = { kind: 'knowledge', takenAt: '2026-10-05T17:00:00Z', result: 'passed', score: 88 }
function inNameOf({ orgUserId }: Member, student: Member) {
  return { ...endorsementOf(student), signedBy: { orgUserId } }
}

function endorsementOf({ orgUserId }: Member) {
  return { orgUserId, title: 'Solo', renderedText: 'May fly solo in the traffic pattern.' }
}
