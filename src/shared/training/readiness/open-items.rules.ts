import { privateItems, type ReadinessItem } from './readiness.types.ts'

/** Returns the items that bear on the verdict and are not met. */
export function openItems(items: readonly ReadinessItem[]): ReadinessItem[] {
  return items.filter(({ counts, status }) => counts && status !== 'met')
}

/** Returns an item in words. Items that some readers may not read are named alone. */
export function itemInWords({ key, message }: Pick<ReadinessItem, 'key' | 'message'>): string {
  const name = key.replaceAll('_', ' ')
  return privateItems.some((one) => one === key) ? name : `${name}: ${message}`
}
