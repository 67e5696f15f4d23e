import { expect, test } from 'vitest'
import { kindByName } from '../../../src/shared/fleet/maintenance/maintenance-kind.rules.ts'

test.each([
  ['Annual inspection', 'annual'],
  ['100-hour inspection', 'hundred_hour'],
  ['100 hr', 'hundred_hour'],
  ['ELT battery', 'elt'],
  ['Emergency locator transmitter, annual', 'elt'],
  ['Transponder check', 'transponder'],
  ['Altimeter and static system', 'altimeter'],
  ['VOR check', 'vor'],
  ['Alternator belt', 'other'],
  ['1100 hours overhaul', 'other'],
  ['Oil and filter', 'other'],
])('“%s” is of the kind %s (§Maintenance)', (name, kind) => {
  expect(kindByName(name)).toBe(kind)
})
