import { z } from 'zod'
import type { GrantRow } from '../../../shared/training/grants/grant.queries.ts'
import { grantKinds } from '../../../shared/training/grants/grants.rules.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, NamedReference, Person } from '../../http/schemas.ts'

const kind = z.enum(grantKinds).meta({ choices: 'TrainingGrantKind' })

/** A training grant of a member. */
export const Grant = z
  .object({
    id: Id,
    orgUserId: Id,
    person: Person,
    grant: kind,
    courseId: Id.nullable().describe('The course of a `checkInstructor`; null for the other grants'),
    course: NamedReference.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'TrainingGrant' })

export function grantView(row: GrantRow): z.input<typeof Grant> {
  return {
    id: row.id,
    orgUserId: row.membership_id,
    person: personView(row.membership_id, row.member_name),
    grant: row.kind,
    courseId: row.course_id,
    course: row.course_id === null ? null : { id: row.course_id, name: row.course_name ?? '' },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** A grant with its title and description. */
export const GrantInWords = z
  .object({
    grant: kind,
    title: z.string(),
    description: z.string(),
  })
  .meta({ id: 'TrainingGrantDescription' })

/** The caller's rights in training. */
export const OwnGrants = z
  .object({
    grants: z.array(Grant).describe('The grants that the caller was given'),
    implied: z.array(kind).describe('The grants that the caller’s roles imply: all four for admins, none for others'),
    mayGrade: z
      .boolean()
      .describe('Whether the caller may grade lessons, sign records and endorse, as instructors and admins may'),
  })
  .meta({ id: 'OwnTrainingGrants' })
