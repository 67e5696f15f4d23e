import { hasRole, type RoleFlags } from '../../platform/authz/roles.ts'

export const grantKinds = ['configureTraining', 'manageEnrollment', 'checkInstructor', 'auditor'] as const
export type GrantKind = (typeof grantKinds)[number]

/**
 * The four grants with title and description. Each gives its holder one part of an admin's rights in training.
 * Implements interface §Training: GET /training/grants/catalog.
 */
export const grantCatalog: readonly { grant: GrantKind; title: string; description: string }[] = [
  {
    grant: 'configureTraining',
    title: 'Configure training',
    description: 'Writes courses and their syllabi, from templates too, and publishes and retires versions.',
  },
  {
    grant: 'manageEnrollment',
    title: 'Manage enrollments',
    description: 'Enrols, certifies, graduates and ends, invoices enrollment fees, and posts and reverses credits.',
  },
  {
    grant: 'checkInstructor',
    title: 'Check instructor',
    description: 'Signs the stage checks of one course, except those of the holder’s own students.',
  },
  {
    grant: 'auditor',
    title: 'Auditor',
    description: 'Reads everything in training, and changes nothing.',
  },
]

/**
 * Returns the grants that a member's roles imply: all four for owners and admins, none otherwise. Implements
 * interface §Training: GET /training/grants/mine.
 */
export function impliedGrants(roles: RoleFlags): GrantKind[] {
  return hasRole(roles, ['owner', 'admin']) ? [...grantKinds] : []
}

/**
 * Returns whether a member may grade lessons, sign records and endorse: instructors, admins and owners. Implements
 * interface §Training record and ledger: POST /training/records.
 */
export function mayGrade(roles: RoleFlags): boolean {
  return hasRole(roles, graders)
}

export const graders = ['owner', 'admin', 'instructor'] as const
