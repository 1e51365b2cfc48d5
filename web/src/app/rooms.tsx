/** Every room that a first look doesn't need; each is a chunk of its own. */
import { later } from "./later";

export const TasksPage = later(() => import("../tasks/TasksPage").then((chunk) => chunk.TasksPage));
export const OperationsPage = later(() =>
  import("../operation/OperationsPage").then((chunk) => chunk.OperationsPage),
);
export const OperationPage = later(() =>
  import("../operation/OperationPage").then((chunk) => chunk.OperationPage),
);
export const SettingsPage = later(() =>
  import("../settings/SettingsPage").then((chunk) => chunk.SettingsPage),
);
export const ApprovalsPage = later(() =>
  import("../approvals/ApprovalsPage").then((chunk) => chunk.ApprovalsPage),
);
export const ApprovalPage = later(() =>
  import("../approvals/ApprovalPage").then((chunk) => chunk.ApprovalPage),
);
export const RoutinesPage = later(() =>
  import("../routines/RoutinesPage").then((chunk) => chunk.RoutinesPage),
);
export const ActivityPage = later(() =>
  import("../activity/ActivityPage").then((chunk) => chunk.ActivityPage),
);
export const AgentsPage = later(() => import("../agents/AgentsPage").then((chunk) => chunk.AgentsPage));
export const MemoryPage = later(() => import("../memory/MemoryPage").then((chunk) => chunk.MemoryPage));
