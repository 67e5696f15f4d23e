import { deskStaff, hasRole, type Role, type RoleFlags } from '../../platform/authz/roles.ts'

/** What desk staff found of a document; `pending` until they looked at it. */
export const documentStatuses = ['pending', 'verified', 'rejected'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** What the audit log says of a document: whose it is, of which kind and what was found; never its title, dates or note. */
export function auditedDocument(document: {
  membershipId?: number | null | undefined
  category: string
  status: DocumentStatus
}) {
  return { orgUserId: document.membershipId ?? null, category: document.category, status: document.status }
}

/** The reader of documents. */
export interface Reader {
  orgUserId: number
  roles: RoleFlags
}

/** The owner of a document, null for the organization with the roles that see it, and the member who uploaded it. */
interface Ownership {
  membershipId: number | null
  uploadedBy: number
  roles: readonly Role[]
}

/**
 * Decides whether somebody reads every member's documents: desk staff. Others read their own and the organization's.
 * Implements interface §Documents.
 */
export function readsAll({ roles }: Pick<Reader, 'roles'>): boolean {
  return hasRole(roles, deskStaff)
}

/**
 * Decides whether somebody may see a document: desk staff all, members their own and those of the organization that are
 * for everybody or for one of their roles.
 * Implements interface §Documents.
 */
export function maySee(reader: Reader, { membershipId, roles }: Ownership): boolean {
  if (readsAll(reader) || membershipId === reader.orgUserId) return true
  return membershipId === null && (roles.length === 0 || hasRole(reader.roles, roles))
}

/**
 * Decides whether somebody may change or delete a document: desk staff, and members their own that they uploaded.
 * Implements interface §Documents.
 */
export function mayChange(reader: Reader, { membershipId, uploadedBy }: Ownership): boolean {
  return readsAll(reader) || (membershipId === reader.orgUserId && uploadedBy === reader.orgUserId)
}

/**
 * Decides whether somebody may verify or reject a document: desk staff, but nobody their own.
 * Implements interface §Documents.
 */
export function mayReview(reader: Reader, { membershipId }: Pick<Ownership, 'membershipId'>): boolean {
  return readsAll(reader) && membershipId !== reader.orgUserId
}

/**
 * Decides whether somebody who may change a document may delete it: desk staff, and its member while not verified.
 * Implements interface §Documents.
 */
export function mayDelete(reader: Reader, { status }: { status: DocumentStatus }): boolean {
  return readsAll(reader) || status !== 'verified'
}

/** The categories of which each reading of another's document is audited. */
const sensitive: readonly string[] = ['medical', 'identification']

/** Decides whether the reading of a document is audited: another member's medical or identification. */
export function isReadingAudited(
  reader: Pick<Reader, 'orgUserId'>,
  { membershipId, category }: { membershipId: number | null; category: string },
): boolean {
  return membershipId !== null && membershipId !== reader.orgUserId && sensitive.includes(category)
}
