import { type ReservationType, type Side, typeRules } from '../../fleet/resources/reservation-types.rules.ts'

/** Whether a booking of a type could not go on without one of the people on a side: too few would be left there. */
export function isRequiredCrew(type: ReservationType, sides: readonly Side[], leaving: Side): boolean {
  const [least] = typeRules[type].sides[leaving] ?? [0, 0]
  return sides.filter((side) => side === leaving).length - 1 < least
}
