import { describe, expect, test } from 'vitest'
import { blocksOtherwise } from '../../../src/shared/dispatch/own-blocks.rules.ts'

const PAYER = 1
const INSTRUCTOR = 2
const by = (rule: string, orgUserId?: number) => ({ rule, orgUserId })

describe('what keeps a booking from leaving beside acts of the side that pays (§29.1, S104)', () => {
  test.each([
    ['nothing', false, [], []],
    ['time off of the payer', false, ['availability'], [by('availability', PAYER)]],
    ['time off of the instructor', true, ['availability'], [by('availability', INSTRUCTOR)]],
    ['time off of both', true, ['availability'], [by('availability', PAYER), by('availability', INSTRUCTOR)]],
    ['a grounded aircraft', true, ['resource_grounded'], [by('resource_grounded')]],
    [
      'a closure beside time off',
      true,
      ['closed_period', 'availability'],
      [by('closed_period'), by('availability', PAYER)],
    ],
    ['the payer grounded by the school', true, ['person_grounded'], [by('person_grounded', PAYER)]],
    ['a currency of the payer that ran out', true, ['currency', 'currency:4'], [by('currency:4', PAYER)]],
    ['a currency that the payer ended', false, ['currency', 'currency:4'], [by('currency:4', PAYER)], [PAYER]],
    ['a currency of the instructor', true, ['currency', 'currency:4'], [by('currency:4', INSTRUCTOR)], [PAYER]],
    ['a document that the payer deleted', false, ['documents'], [by('documents', PAYER)], [PAYER]],
    ['a document that ran out', true, ['documents'], [by('documents', PAYER)]],
    ['the payer grounded, who changed the profile', true, ['person_grounded'], [by('person_grounded', PAYER)], [PAYER]],
    ['a rule without its findings', true, ['availability'], []],
  ] as [string, boolean, string[], { rule: string; orgUserId?: number }[], number[]?][])(
    '%s: %s',
    (_what, blocks, rules, findings, changed = []) => {
      const side = { orgUserIds: [PAYER], changedPapers: new Set(changed) }
      expect(blocksOtherwise({ rules, findings }, side)).toBe(blocks)
    },
  )
})
