import { trainingErrors } from '../training.errors.ts'
import type { Conflicting } from '../transition.rules.ts'

export const versionStates = ['draft', 'published', 'retired'] as const
export type VersionState = (typeof versionStates)[number]

/**
 * The actions on a version: its syllabus is edited or published, it is closed to new students or opened again, or a
 * student enrolls on it.
 */
export type VersionTrigger = 'edit' | 'publish' | 'retire' | 'unretire' | 'enrol'

const { versionFixed: frozen, versionIsDraft: draft } = trainingErrors

/** The state after each trigger, or the error that refuses the trigger. Implements interface §Syllabus version. */
export const versionTransitions: Readonly<Record<VersionState, Record<VersionTrigger, VersionState | Conflicting>>> = {
  draft: { edit: 'draft', publish: 'published', retire: draft, unretire: draft, enrol: draft },
  published: {
    edit: frozen,
    publish: trainingErrors.publishedAlready,
    retire: 'retired',
    unretire: 'published',
    enrol: 'published',
  },
  retired: {
    edit: frozen,
    publish: trainingErrors.publishedBefore,
    retire: 'retired',
    unretire: 'published',
    enrol: trainingErrors.versionRetired,
  },
}
