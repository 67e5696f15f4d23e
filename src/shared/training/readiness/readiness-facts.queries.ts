import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { findRating } from '../../qualification/ratings.rules.ts'
import type { RegulatoryPart } from '../courses/syllabus.rules.ts'
import { findAircraftFacts } from './aircraft-facts.queries.ts'
import { findExperience } from './experience-facts.queries.ts'
import type { FactsById, JudgedRow, JudgedScope, WantedReadiness } from './judged-enrollment.types.ts'
import { findMedicals, findPersonFacts } from './person-facts.queries.ts'
import { judgeReadiness } from './readiness.rules.ts'
import { type JudgedTest, judgedTests, type Readiness } from './readiness.types.ts'
import type { Loaded, ReadinessFacts } from './readiness-facts.types.ts'
import { findEndorsementFacts, findRecordFacts, findTestFacts } from './training-facts.queries.ts'

interface EnrollmentRow {
  id: number
  membershipId: number
  versionId: number
  resourceId: number | null
  sought: string | null
  ratingId: number | null
  category: string | null
  regulatoryPart: RegulatoryPart
  graduationWithinDays: number
}

/** The ratings that each judged test is for, in airplanes. */
const ratingsOf: Readonly<Record<JudgedTest, readonly string[]>> = {
  private: ['ASEL', 'AMEL', 'ASES', 'AMES'],
  instrument: ['IR-A'],
  commercial: ['ASEL', 'AMEL', 'ASES', 'AMES'],
  cfi: ['CFI-ASE', 'CFI-AME'],
}

/** Returns the readiness of students for the practical tests of their courses, by the id of the enrollment. */
export async function findReadiness(
  db: Db,
  scope: JudgedScope,
  wanted: readonly WantedReadiness[],
): Promise<Map<number, Readiness>> {
  const facts = await findReadinessFacts(db, scope, wanted)
  return new Map([...facts].map(([id, one]) => [id, judgeReadiness(one)]))
}

/**
 * Returns what is known of enrollments and their students, for the rules. The sources are read side by side, each for all enrollments at once; one
 * that fails or takes too long is `failed` for all of them.
 */
export async function findReadinessFacts(
  db: Db,
  scope: JudgedScope,
  wanted: readonly WantedReadiness[],
): Promise<Map<number, ReadinessFacts>> {
  const rows = await findEnrollments(db, scope.organizationId, wanted)
  const judged = wanted.flatMap((one): JudgedRow[] => {
    const row = rows.get(one.id)
    return row ? [{ ...one, membershipId: row.membershipId, versionId: row.versionId, resourceId: row.resourceId }] : []
  })
  const read = <Facts>(find: Find<Facts>) => orFailed(find(db, scope, judged))
  const [person, medicals, experience, endorsements, tests, record, aircraft] = await Promise.all([
    read(findPersonFacts),
    read(findMedicals),
    read(findExperience),
    read(findEndorsementFacts),
    read(findTestFacts),
    read(findRecordFacts),
    read(findAircraftFacts),
  ])
  return new Map(
    judged.map(({ id, at, applicationAt }) => {
      const { regulatoryPart, graduationWithinDays, ...course } = rows.get(id)!
      const facts: ReadinessFacts = {
        ...soughtIn(course),
        regulatoryPart,
        graduationWithinDays,
        at,
        applicationAt,
        now: scope.now,
        zone: scope.zone,
        person: factsOf(person, id),
        medicals: factsOf(medicals, id),
        experience: factsOf(experience, id),
        endorsements: factsOf(endorsements, id),
        tests: factsOf(tests, id),
        record: factsOf(record, id),
        aircraft: factsOf(aircraft, id),
      }
      return [id, facts]
    }),
  )
}

type Find<Facts> = (db: Db, scope: JudgedScope, enrollments: readonly JudgedRow[]) => Promise<FactsById<Facts>>

async function orFailed<Facts>(reading: Promise<FactsById<Facts>>): Promise<Loaded<FactsById<Facts>>> {
  return reading.catch(() => 'failed' as const)
}

function factsOf<Facts>(all: Loaded<FactsById<Facts>>, id: number): Loaded<Facts> {
  const facts = all === 'failed' ? undefined : all.get(id)
  return facts === undefined ? 'failed' : facts
}

/**
 * Returns the test that a course is for, its rating, and whether it is one in an airplane. The rating of the course says so, and without one the category of the
 * planned aircraft.
 */
function soughtIn({ sought, ratingId, category }: Pick<EnrollmentRow, 'sought' | 'ratingId' | 'category'>) {
  const test = judgedTests.find((one) => one === sought) ?? null
  const rating = findRating(ratingId)
  const covered =
    test !== null && (rating ? ratingsOf[test].includes(rating.code) : (category ?? 'airplane') === 'airplane')
  return { sought: test, covered, rating: rating?.code ?? null }
}

async function findEnrollments(
  db: Db,
  organizationId: number,
  wanted: readonly WantedReadiness[],
): Promise<Map<number, EnrollmentRow>> {
  const rows = await readRows(
    db,
    sql<EnrollmentRow>`
    select e.id, e.membership_id as "membershipId", e.version_id as "versionId", e.planned_test_resource_id as "resourceId",
      c.certificate_sought as sought, c.rating_id as "ratingId", c.regulatory_part as "regulatoryPart",
      v.graduation_within_days as "graduationWithinDays",
      case when x.id is not null then coalesce(x.traits ->> 'category', 'airplane') end as category
    from enrollment e
    join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
    left join resource x on x.organization_id = e.organization_id and x.id = e.planned_test_resource_id
    where e.organization_id = ${organizationId} and e.id = any(${wanted.map(({ id }) => id)}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
