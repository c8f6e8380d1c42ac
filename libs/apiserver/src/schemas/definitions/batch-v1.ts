// Written by scripts/builtin-schemas.mjs.

export const batchV1 = `
batch.v1.CronJob {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@batch.v1.CronJobSpec=","status":"@batch.v1.CronJobStatus="},"r":["spec"],"g":"batch/v1/CronJob"}
batch.v1.CronJobSpec {"p":{"concurrencyPolicy":{"t":"s","e":["Allow","Forbid","Replace"]},"failedJobsHistoryLimit":"i","jobTemplate":"@batch.v1.JobTemplateSpec=","schedule":"s=","startingDeadlineSeconds":"l","successfulJobsHistoryLimit":"i","suspend":"b","timeZone":"s"},"r":["schedule","jobTemplate"]}
batch.v1.CronJobStatus {"p":{"active":{"t":["@core.v1.ObjectReference="],"l":"atomic"},"lastScheduleTime":"@meta.v1.Time","lastSuccessfulTime":"@meta.v1.Time"}}
batch.v1.Job {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@batch.v1.JobSpec=","status":"@batch.v1.JobStatus="},"g":"batch/v1/Job"}
batch.v1.JobCondition {"p":{"lastProbeTime":"@meta.v1.Time","lastTransitionTime":"@meta.v1.Time","message":"s","reason":"s","status":"s=","type":"s="},"r":["type","status"]}
batch.v1.JobSpec {"p":{"activeDeadlineSeconds":"l","backoffLimit":"i","backoffLimitPerIndex":"i","completionMode":{"t":"s","e":["Indexed","NonIndexed"]},"completions":"i","managedBy":"s","manualSelector":"b","maxFailedIndexes":"i","parallelism":"i","podFailurePolicy":"@batch.v1.PodFailurePolicy","podReplacementPolicy":{"t":"s","e":["Failed","TerminatingOrFailed"]},"selector":"@meta.v1.LabelSelector","successPolicy":"@batch.v1.SuccessPolicy","suspend":"b","template":"@core.v1.PodTemplateSpec=","ttlSecondsAfterFinished":"i"},"r":["template"]}
batch.v1.JobStatus {"p":{"active":"i","completedIndexes":"s","completionTime":"@meta.v1.Time","conditions":{"t":["@batch.v1.JobCondition="],"l":"atomic","key":"type","s":"merge"},"failed":"i","failedIndexes":"s","ready":"i","startTime":"@meta.v1.Time","succeeded":"i","terminating":"i","uncountedTerminatedPods":"@batch.v1.UncountedTerminatedPods"}}
batch.v1.JobTemplateSpec {"p":{"metadata":"@meta.v1.ObjectMeta=","spec":"@batch.v1.JobSpec="}}
batch.v1.PodFailurePolicy {"p":{"rules":{"t":["@batch.v1.PodFailurePolicyRule="],"l":"atomic"}},"r":["rules"]}
batch.v1.PodFailurePolicyOnExitCodesRequirement {"p":{"containerName":"s","operator":{"t":"s=","e":["In","NotIn"]},"values":{"t":["i="],"l":"set"}},"r":["operator","values"]}
batch.v1.PodFailurePolicyOnPodConditionsPattern {"p":{"status":"s=","type":"s="},"r":["type"]}
batch.v1.PodFailurePolicyRule {"p":{"action":{"t":"s=","e":["Count","FailIndex","FailJob","Ignore"]},"onExitCodes":"@batch.v1.PodFailurePolicyOnExitCodesRequirement","onPodConditions":{"t":["@batch.v1.PodFailurePolicyOnPodConditionsPattern="],"l":"atomic"}},"r":["action"]}
batch.v1.SuccessPolicy {"p":{"rules":{"t":["@batch.v1.SuccessPolicyRule="],"l":"atomic"}},"r":["rules"]}
batch.v1.SuccessPolicyRule {"p":{"succeededCount":"i","succeededIndexes":"s"}}
batch.v1.UncountedTerminatedPods {"p":{"failed":{"t":["s="],"l":"set"},"succeeded":{"t":["s="],"l":"set"}}}
`;
