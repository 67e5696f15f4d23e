/** An approval of a member: of one resource, or of a make and model. */
export interface ApprovalFacts {
  resourceId: number | null
  make: string | null
  model: string | null
  /** The first instant at which it is no longer valid; null when it does not expire. */
  expiresAt: Date | null
}

/** The fields of a resource that an approval can name. */
export interface ApprovedResource {
  id: number
  make: string | null
  model: string | null
}

/**
 * Returns whether one of the approvals covers a resource at an instant, such as the start of a booking. Makes and models are
 * compared without regard to case and surrounding spaces. Implements interface §Approvals.
 */
export function isApproved(approvals: readonly ApprovalFacts[], resource: ApprovedResource, at: Date): boolean {
  return approvals.some((one) => covers(one, resource) && (one.expiresAt === null || one.expiresAt > at))
}

function covers({ resourceId, make, model }: ApprovalFacts, resource: ApprovedResource): boolean {
  if (resourceId !== null) return resourceId === resource.id
  return same(make, resource.make) && same(model, resource.model)
}

function same(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a.trim().toLowerCase() === b.trim().toLowerCase()
}
