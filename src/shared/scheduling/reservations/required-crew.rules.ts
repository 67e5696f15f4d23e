import { type ReservationType, type Side, typeRules } from '../../fleet/resources/reservation-types.rules.ts'

/**
 * Decides whether a booking of a type needs everyone on a side: without one of them it falls below the side's minimum.
 */
export function isRequiredCrew(type: ReservationType, sides: readonly Side[], leaving: Side): boolean {
  const [least] = typeRules[type].sides[leaving] ?? [0, 0]
  return sides.filter((side) => side === leaving).length - 1 < least
}
