import { MOVES } from './move.entity.js';
import { collectionName, type Relation, type Resource } from '../records/resource.js';
import { AGENTS } from './agent.entity.js';
import { SERVICES } from './service.entity.js';
import { SHIPMENTS } from './shipment.entity.js';

/** Children of a shipment, which have their own versions. History, expansion and more are derived from this list. */
export const CHILDREN_OF_SHIPMENTS: readonly Resource[] = [AGENTS, SERVICES];

/** The relations that `expand` supports. Moves do not depend on shipments, so their expansion is defined here, too. */
export const RELATIONS_OF_SHIPMENTS: readonly Relation[] = [
  ...CHILDREN_OF_SHIPMENTS.map((to) => {
    const name = collectionName(to);
    return { of: SHIPMENTS, name, to, by: 'shipmentID', list: `${SHIPMENTS.path}/{id}/${name}` };
  }),
  { of: SHIPMENTS, name: 'move', to: MOVES, by: 'moveID' },
  { of: MOVES, name: 'shipments', to: SHIPMENTS, by: 'moveID', list: `${SHIPMENTS.path}?moveID={id}` },
];

/** The relations that `expand` supports for one kind of record. */
export function relationsOf(resource: Resource): Relation[] {
  return RELATIONS_OF_SHIPMENTS.filter(({ of }) => of === resource);
}
