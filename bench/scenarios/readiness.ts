import { sql } from 'kysely'
import type { BenchSetup } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { buildBenchSchool } from '../school.ts'

/** Each is the slowest of so many requests, one after another. */
const ASKED = 20
const [MOST_READINESS_MS, MOST_PACKET_MS] = [300, 3_000]
const DAY_MS = 24 * 3_600_000

/**
 * Measures the readiness of a student ten days before the test, and the packet: a private course with two signed records of each lesson and an
 * endorsement of each of ten weeks.
 */
export async function readinessScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const api = await setup.serve('api')
  const school = await buildBenchSchool(setup)
  const headers = { authorization: `Bearer ${school.adminToken}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object): Promise<{ id: number; versionId?: number }> => {
    const response = await fetch(`${api}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: { id: number; versionId?: number } }).data
  }
  await send('POST', '/training/templates/private', { name: 'Private pilot' })
  const { db } = setup.database
  const { organizationId: organization_id } = school
  const { id: versionId } = await db
    .selectFrom('syllabus_version')
    .select('id')
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  await send('POST', `/training/versions/${versionId}/publish`, {})
  const [orgUserId, instructorOrgUserId] = [school.studentIds[0]!, school.instructorIds[0]!]
  const { id } = await send('POST', '/training/enrollments', { versionId, orgUserId, instructorOrgUserId })
  const plannedTest = { at: new Date(Date.now() + 10 * DAY_MS).toISOString(), resourceId: school.resourceIds[0] }
  await send('PATCH', `/training/enrollments/${id}`, { plannedTest })
  await sql`insert into training_record (organization_id, enrollment_id, version_id, lesson_id, grade, instructor_id, graded_by, task_grades,
      flight_tenths, instruction_tenths, landings, trained_at, signed_at, signed_by, countersigned_at, countersigned_by)
    select ${organization_id}, ${id}, ${versionId}, l.id, 'S', ${instructorOrgUserId}, ${instructorOrgUserId}, '[]', 14, 14, 3,
      now() - interval '20 days', now(), ${instructorOrgUserId}, now(), ${orgUserId}
    from syllabus_lesson l, generate_series(1, 2) where l.organization_id = ${organization_id} and l.version_id = ${versionId}`.execute(
    db,
  )
  await sql`insert into endorsement (organization_id, membership_id, template_code, template_edition, title, rendered_text, signed_by, signed_at)
    select ${organization_id}, ${orgUserId}, 'A.6', 'AC 61-65K', 'Solo flight', repeat('I certify that the student is proficient. ', 8),
      ${instructorOrgUserId}, now() - make_interval(days => 7 * week) from generate_series(1, 10) week`.execute(db)
  const slowest = async (path: string) => {
    let most = 0
    for (let asked = 0; asked < ASKED; asked++) {
      const begun = performance.now()
      const response = await fetch(`${api}/training/enrollments/${id}/${path}`, { headers })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      most = Math.max(most, performance.now() - begun)
    }
    return most
  }
  return [
    {
      name: `readiness of a student before the test, the slowest of ${ASKED}`,
      unit: 'ms',
      aim: { atMost: MOST_READINESS_MS },
      ours: () => slowest('readiness'),
    },
    {
      name: `packet for the test as PDF, the slowest of ${ASKED}`,
      unit: 'ms',
      aim: { atMost: MOST_PACKET_MS },
      ours: () => slowest('packet'),
    },
  ]
}
