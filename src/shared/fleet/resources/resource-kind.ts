/** What can be booked. The kind of a resource never changes. */
export const resourceKinds = ['plane', 'simulator', 'room'] as const

export type ResourceKind = (typeof resourceKinds)[number]

export const planeCategories = ['airplane', 'helicopter', 'glider', 'other'] as const
export const fuelUnits = ['gallons', 'liters', 'pounds'] as const
/** Full flight simulator, flight training device, advanced and basic aviation training device. */
export const deviceKinds = ['ffs', 'ftd', 'aatd', 'batd'] as const

/** What only one kind of resource has: the inner fields of the one `type` object. */
export interface ResourceTraits {
  engines?: 1 | 2
  category?: (typeof planeCategories)[number]
  /** In the words of the pilot certificate, such as `single_engine_land`. */
  class?: string | null
  /** What the fuel figures of the aircraft count. */
  fuelUnits?: (typeof fuelUnits)[number]
  deviceKind?: (typeof deviceKinds)[number] | null
  seats?: number | null
}
