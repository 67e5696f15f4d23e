import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { TrainingCourse } from './course.entity.ts'
import { SyllabusCredit, SyllabusRequirement } from './syllabus.entity.ts'
import type { RequirementSource } from './syllabus.rules.ts'
import { lockVersion } from './version.access.ts'

export interface RequirementInput {
  requirementId: number | null
  code: string
  label: string
  /** Tenths of hours. */
  minDeciHours: number | null
  minCount: number | null
  /** Null for the course's regulatory part. */
  source: RequirementSource | null
  maxSimulatorBps: number | null
  maxTransferBps: number | null
  recencyCalendarMonths: number | null
}

/**
 * Adds a requirement to a draft, or replaces a requirement's fields. A requirement asks for hours or for a count.
 * Implements interface §Training: PUT requirements.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 * @throws Conflict ALREADY_EXISTS when another requirement of the version has the code
 * @throws Invalid when both measures or neither is given, the requirement is of another version, or lessons credit it
 * in the other measure
 */
export async function putRequirement(
  tx: Tx,
  actor: Actor,
  versionId: number,
  input: RequirementInput,
): Promise<{ id: number }> {
  const version = await lockVersion(tx, actor, versionId, 'edit')
  const { requirementId, minDeciHours: minTenths, source, ...fields } = input
  const key = { organizationId: actor.organizationId, versionId }
  if (minTenths !== null && fields.minCount !== null) {
    throw new Invalid('minCount: a requirement asks for hours or a count, not both')
  }
  if (minTenths === null && fields.minCount === null) {
    throw new Invalid('minDeciHours: a requirement asks for hours or a count')
  }
  const others = await tx.em.find(SyllabusRequirement, key)
  const stored = others.find((one) => one.id === requirementId)
  if (requirementId !== null && !stored) {
    throw new Invalid('requirementId: there is no such requirement in this version')
  }
  if (others.some((one) => one.id !== requirementId && one.code.toLowerCase() === fields.code.toLowerCase())) {
    throw new Conflict(`The code ${fields.code} is in use in this version.`, 'ALREADY_EXISTS')
  }
  const values = { ...fields, minTenths, source: source ?? (await partOf(tx, version)) }
  if (!stored) {
    const requirement = tx.em.create(SyllabusRequirement, { ...key, ...values })
    await tx.em.flush()
    return { id: requirement.id }
  }
  await mustKeepCredits(tx, stored, minTenths !== null)
  tx.em.assign(stored, values)
  return { id: stored.id }
}

/**
 * Deletes a requirement of a draft, with the lesson credits that reference it.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version or requirement
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 */
export async function deleteRequirement(tx: Tx, actor: Actor, versionId: number, id: number): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const requirement = await tx.em.findOne(SyllabusRequirement, {
    organizationId: actor.organizationId,
    versionId,
    id,
  })
  if (!requirement) throw new NotFound('There is no such requirement in this version.')
  tx.em.remove(requirement)
  return { id }
}

async function partOf(tx: Tx, version: { organizationId: number; courseId: number }): Promise<RequirementSource> {
  const { organizationId, courseId: id } = version
  const course = await tx.em.findOneOrFail(TrainingCourse, { organizationId, id })
  return course.regulatoryPart
}

async function mustKeepCredits(tx: Tx, requirement: SyllabusRequirement, inHours: boolean): Promise<void> {
  const { organizationId, versionId, id: requirementId } = requirement
  const credits = await tx.em.find(SyllabusCredit, { organizationId, versionId, requirementId })
  if (credits.some((credit) => (credit.count != null) === inHours)) {
    const field = inHours ? 'minDeciHours' : 'minCount'
    throw new Invalid(
      `${field}: lessons credit this requirement ${inHours ? 'by count' : 'in hours'}; change them first`,
    )
  }
}
