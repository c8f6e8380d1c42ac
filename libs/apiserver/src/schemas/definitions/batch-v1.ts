// Written by scripts/builtin-schemas.mjs.

export const batchV1: string = `
batch.v1.CronJob {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@batch.v1.CronJobSpec=","status":"@batch.v1.CronJobStatus="},"r":["spec"],"g":"batch/v1/CronJob"}
batch.v1.CronJobSpec {"p":{"schedule":"s=!","timeZone":"s?","startingDeadlineSeconds":"l?","concurrencyPolicy":{"t":"s:v1.ConcurrencyPolicy","e":["Allow","Forbid","Replace"]},"suspend":"b?","jobTemplate":"@batch.v1.JobTemplateSpec=","successfulJobsHistoryLimit":"i?","failedJobsHistoryLimit":"i?"},"r":["schedule","jobTemplate"]}
batch.v1.CronJobStatus {"p":{"active":{"t":["@core.v1.ObjectReference="],"l":"atomic"},"lastScheduleTime":"@meta.v1.Time?","lastSuccessfulTime":"@meta.v1.Time?"}}
batch.v1.Job {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@batch.v1.JobSpec=","status":"@batch.v1.JobStatus="},"g":"batch/v1/Job"}
batch.v1.JobCondition {"p":{"type":"s:v1.JobConditionType=!","status":"s:v1.ConditionStatus=!","lastProbeTime":"@meta.v1.Time","lastTransitionTime":"@meta.v1.Time","reason":"s","message":"s"},"r":["type","status"]}
batch.v1.JobSpec {"p":{"parallelism":"i?","completions":"i?","activeDeadlineSeconds":"l?","podFailurePolicy":"@batch.v1.PodFailurePolicy?","successPolicy":"@batch.v1.SuccessPolicy?","backoffLimit":"i?","backoffLimitPerIndex":"i?","maxFailedIndexes":"i?","selector":"@meta.v1.LabelSelector?","manualSelector":"b?","template":"@core.v1.PodTemplateSpec=","ttlSecondsAfterFinished":"i?","completionMode":{"t":"s:v1.CompletionMode?","e":["Indexed","NonIndexed"]},"suspend":"b?","podReplacementPolicy":{"t":"s:v1.PodReplacementPolicy?","e":["Failed","TerminatingOrFailed"]},"managedBy":"s?"},"r":["template"]}
batch.v1.JobStatus {"p":{"conditions":{"t":["@batch.v1.JobCondition="],"l":"atomic","key":"type","s":"merge"},"startTime":"@meta.v1.Time?","completionTime":"@meta.v1.Time?","active":"i","succeeded":"i","failed":"i","terminating":"i?","completedIndexes":"s","failedIndexes":"s?","uncountedTerminatedPods":"@batch.v1.UncountedTerminatedPods?","ready":"i?"}}
batch.v1.JobTemplateSpec {"p":{"metadata":"@meta.v1.ObjectMeta=","spec":"@batch.v1.JobSpec="}}
batch.v1.PodFailurePolicy {"p":{"rules":{"t":["@batch.v1.PodFailurePolicyRule="],"l":"atomic","n":1}},"r":["rules"]}
batch.v1.PodFailurePolicyOnExitCodesRequirement {"p":{"containerName":"s?","operator":{"t":"s:v1.PodFailurePolicyOnExitCodesOperator=!","e":["In","NotIn"]},"values":{"t":["i="],"l":"set","n":1}},"r":["operator","values"]}
batch.v1.PodFailurePolicyOnPodConditionsPattern {"p":{"type":"s:v1.PodConditionType=!","status":"s:v1.ConditionStatus=!"},"r":["type"]}
batch.v1.PodFailurePolicyRule {"p":{"action":{"t":"s:v1.PodFailurePolicyAction=!","e":["Count","FailIndex","FailJob","Ignore"]},"onExitCodes":"@batch.v1.PodFailurePolicyOnExitCodesRequirement?","onPodConditions":{"t":["@batch.v1.PodFailurePolicyOnPodConditionsPattern="],"l":"atomic"}},"r":["action"]}
batch.v1.SuccessPolicy {"p":{"rules":{"t":["@batch.v1.SuccessPolicyRule="],"l":"atomic","n":1}},"r":["rules"]}
batch.v1.SuccessPolicyRule {"p":{"succeededIndexes":"s?","succeededCount":"i?"}}
batch.v1.UncountedTerminatedPods {"p":{"succeeded":{"t":["s:types.UID="],"l":"set"},"failed":{"t":["s:types.UID="],"l":"set"}}}
`;
