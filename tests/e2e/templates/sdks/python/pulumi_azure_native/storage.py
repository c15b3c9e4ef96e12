from enum import Enum

from sdk import resource

StorageAccount = resource("azure-native:storage:StorageAccount", ["name"])


class Kind(str, Enum):
    STORAGE_V2 = "StorageV2"


class SkuName(str, Enum):
    STANDARD_LRS = "Standard_LRS"
