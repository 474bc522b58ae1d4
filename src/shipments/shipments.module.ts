import { Module } from '@nestjs/common';
import { MovesModule } from '../moves/moves.module.js';
import { AddressesController } from './addresses.controller.js';
import { AgentsController } from './agents/agents.controller.js';
import { PrefixedShipmentsController } from './prefixed-shipments.controller.js';
import { ServicesController } from './services/services.controller.js';
import { ShipmentChildrenService } from './shipment-children.service.js';
import { ShipmentsController } from './shipments.controller.js';
import { ShipmentsService } from './shipments.service.js';

@Module({
  imports: [MovesModule],
  controllers: [ShipmentsController, AddressesController, AgentsController, ServicesController],
  providers: [ShipmentsService, ShipmentChildrenService],
  exports: [ShipmentsService],
})
export class ShipmentsModule {}

/** Mounted under API_PREFIX. */
@Module({ imports: [ShipmentsModule], controllers: [PrefixedShipmentsController] })
export class PrefixedShipmentsModule {}
